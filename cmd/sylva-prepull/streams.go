package main

import (
	"errors"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

// streamFlags say which rendered manifests are read: the flags that verify and graph share.
type streamFlags struct {
	rendered  []string
	namespace string
	unitFlags
}

func (f *streamFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.rendered, "rendered", "r", nil,
		"rendered manifests `FILE` (helm template, kubectl get -o yaml, ...); repeatable, - is stdin")
	flags.StringVar(&f.namespace, "namespace", "", "`NAMESPACE` of the objects that have none: helm template leaves out the release's")
	_ = cmd.MarkFlagFilename("rendered", "yaml", "yml", "json") // fails for unknown flags alone
	cmd.ValidArgsFunction = cobra.NoFileCompletions
}

// readStreams reads files of rendered manifests, one of which may be stdin.
func readStreams(w world, files []string) ([]verify.Stream, error) {
	var streams []verify.Stream
	for _, file := range files {
		if file == "" {
			return nil, errors.New("an empty name: a file of rendered manifests is due, or - for stdin")
		}
		objects, err := readObjects(w, file)
		if err != nil {
			return nil, err
		}
		name := file
		if file == "-" {
			name = "stdin"
		}
		streams = append(streams, verify.Stream{File: name, Objects: objects})
	}
	return streams, nil
}

// once refuses stdin where it is asked for twice.
func once(lists ...[]string) error {
	count := 0
	for _, list := range lists {
		for _, file := range list {
			if file == "-" {
				count++
			}
		}
	}
	if count > 1 {
		return errors.New("stdin (-) can be read once")
	}
	return nil
}
