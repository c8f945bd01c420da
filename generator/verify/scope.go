package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/graph"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// scope is the input as the rules see it.
type scope struct {
	unit           *unit.Definition
	graph          *graph.Graph
	kustomizations []workload.Object // of the streams
	helmReleases   []workload.Object
	objects        []workload.Object // of the streams
	prepulls       []*prepull
	workloads      []*workload.Pods // the DaemonSets and Deployments of the release to come
	hasWorkload    bool
	tree           *tree // nil: none is given
	unbuilt        error // why the unit's directory does not build
}

func newScope(in Input) (*scope, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	s := &scope{unit: in.Unit, objects: in.Objects(in.Streams), hasWorkload: len(in.Workload) > 0}
	for _, object := range s.objects {
		switch {
		case object.Kind == "Kustomization" && object.Group() == "kustomize.toolkit.fluxcd.io":
			s.kustomizations = append(s.kustomizations, object)
		case object.Kind == "HelmRelease" && object.Group() == "helm.toolkit.fluxcd.io":
			s.helmReleases = append(s.helmReleases, object)
		}
	}
	if len(in.Streams) > 0 && len(s.kustomizations) == 0 {
		return nil, fmt.Errorf("no Flux Kustomization among %s of %s: render the whole release", count(s.objects), names(in.Streams))
	}
	if err := twice(s.kustomizations); err != nil {
		return nil, err
	}
	var err error
	if s.graph, err = graph.New(s.kustomizations); err != nil {
		return nil, err
	}
	if in.Core != "" {
		if s.tree, err = readTree(in); err != nil {
			return nil, err
		}
	}
	if err := s.findPrepulls(); err != nil {
		return nil, err
	}
	return s, s.readWorkload(in)
}

// twice refuses a Kustomization that stands twice: which one counts cannot be told.
func twice(kustomizations []workload.Object) error {
	seen := map[graph.ID]workload.Object{}
	for _, object := range kustomizations {
		id := graph.ID{Namespace: object.Namespace, Name: object.Name}
		if first, ok := seen[id]; ok {
			text := fmt.Sprintf("%s stands twice, first at %s: which one counts cannot be told, give each once", object, first.Where())
			return &values.Error{At: object.Where(), Text: text}
		}
		seen[id] = object
	}
	return nil
}

// nothing reports whether the input is a tree that has neither the unit nor an edge to it.
func (s *scope) nothing(in Input) bool {
	return len(in.Streams) == 0 && len(s.prepulls) == 0 && !slices.ContainsFunc(s.tree.values, func(root *values.Node) bool {
		return root.Get("units", s.unit.Name) != nil || root.Get("units", s.unit.Holds, "depends_on", s.unit.Name) != nil
	})
}

func names(streams []Stream) string {
	text := ""
	for i, stream := range streams {
		if i > 0 {
			text += ", "
		}
		text += stream.File
	}
	return text
}

// readWorkload takes the DaemonSets and Deployments of the release to come.
func (s *scope) readWorkload(in Input) error {
	if !s.hasWorkload {
		return nil
	}
	objects := in.Objects(in.Workload)
	for _, object := range objects {
		if object.Kind != "DaemonSet" && object.Kind != "Deployment" {
			continue
		}
		if pods := workload.PodsOf(object); pods != nil {
			s.workloads = append(s.workloads, pods)
		}
	}
	if len(s.workloads) == 0 {
		return fmt.Errorf("no DaemonSet or Deployment among %s of %s: the rendered manifests of the release are due",
			count(objects), names(in.Workload))
	}
	if len(s.prepulls) > 0 && len(podsOf(s.compared())) == 0 && s.unbuilt == nil {
		return errors.New("the workload cannot be compared: the unit's DaemonSet is not in the streams; give the sylva-core tree that has it")
	}
	return nil
}

// notes say that the unit is not there, and what was left out of the objects that were built.
func (s *scope) notes() []string {
	var notes []string
	if len(s.prepulls) == 0 {
		notes = append(notes, s.unit.Name+" is not in the input")
	}
	for _, p := range s.prepulls {
		if len(p.lost) > 0 {
			fields := strings.Join(p.lost, ", ")
			note := fmt.Sprintf("%s: %s: the DaemonSet is built without what these fields come to: %s", p.at, s.name(p), fields)
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}
