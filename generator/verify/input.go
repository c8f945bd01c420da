package verify

import (
	"errors"
	"fmt"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// Input is what is checked.
type Input struct {
	Unit      *unit.Definition
	Streams   []Stream // rendered manifests of Flux's objects, and maybe the unit's own
	Workload  []Stream // rendered manifests of the release to come
	FS        filesys.FileSystem
	Core      string // a sylva-core checkout; empty where none is given
	Namespace string // of the objects that have none: that of the release
}

// Stream is the objects of one file.
type Stream struct {
	File    string
	Objects []workload.Object
}

// check refuses an input in which there is nothing to check.
func (in Input) check() error {
	switch {
	case len(in.Streams) == 0 && in.Core == "" && len(in.Workload) == 0:
		return errors.New("nothing to check: give a stream of rendered manifests or a sylva-core tree")
	case len(in.Streams) == 0 && in.Core == "":
		return errors.New("a workload alone says nothing: give a stream of rendered manifests with the pre-pull, or a sylva-core tree")
	}
	return nil
}

// Objects are those of all streams, with the namespace of the release where they have none.
func (in Input) Objects(streams []Stream) []workload.Object {
	var objects []workload.Object
	for _, stream := range streams {
		for _, object := range stream.Objects {
			if object.Namespace == "" {
				object.Namespace = in.Namespace
			}
			objects = append(objects, object)
		}
	}
	return objects
}

func count(objects []workload.Object) string {
	if len(objects) == 1 {
		return "1 object"
	}
	return fmt.Sprintf("%d objects", len(objects))
}
