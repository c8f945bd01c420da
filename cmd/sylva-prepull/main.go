// Command sylva-prepull generates, previews and checks the Sylva unit that pulls MetalLB's new images on every node before MetalLB is
// upgraded.
package main

import (
	"os"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	os.Exit(run(os.Args[1:], world{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		fsys: filesys.MakeFsOnDisk(), lookupEnv: os.LookupEnv, terminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr), inTerminal: isTerminal(os.Stdin),
	}))
}

// isTerminal reports whether a file is a character device that is no /dev/null.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	null, errNull := os.Stat(os.DevNull)
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && (errNull != nil || !os.SameFile(info, null))
}
