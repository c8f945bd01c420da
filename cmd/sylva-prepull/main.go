// Command sylva-prepull generates, previews and checks the Sylva unit that pulls MetalLB's new images on every node before MetalLB is
// upgraded.
package main

import (
	"fmt"
	"net/http"
	"os"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	offline()
	os.Exit(run(os.Args[1:], world{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		fsys: filesys.MakeFsOnDisk(), lookupEnv: os.LookupEnv, terminal: isTerminal(os.Stdout), errTerminal: isTerminal(os.Stderr), inTerminal: isTerminal(os.Stdin),
	}))
}

// offline takes away what a library could reach out with: kustomize fetches what a kustomization names, by itself or with git. Package
// environment refuses that with its place; this is for what it may miss.
func offline() {
	http.DefaultTransport = noNetwork{}
	_ = os.Unsetenv("PATH") // fails for a name that is none alone
}

// noNetwork refuses every request.
type noNetwork struct{}

// RoundTrip is http.RoundTripper's.
func (noNetwork) RoundTrip(request *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is remote, and nothing is fetched here", request.URL.Redacted())
}

// isTerminal reports whether a file is a character device that is no /dev/null.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	null, errNull := os.Stat(os.DevNull)
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && (errNull != nil || !os.SameFile(info, null))
}
