package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set when a release is built (-ldflags -X main.version=...).
var version string

// build is what is known of the binary.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersion(w world) *cobra.Command {
	output := choice{value: "text", words: []string{"text", "json"}}
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  sylva-prepull version -o json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := readBuild()
			if output.value == "text" {
				_, err := fmt.Fprintln(w.out, b.Version)
				return err
			}
			return printJSON(w, b)
		},
	}
	addChoice(cmd, &output, "output", "o", "the format")
	return cmd
}

func readBuild() build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok && b.Version == "" {
		b.Version = info.Main.Version
	}
	if b.Version == "" {
		b.Version = "(devel)"
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Revision = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}
