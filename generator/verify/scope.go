package verify

import (
	"errors"
	"fmt"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/graph"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// scope is the input as the rules see it.
type scope struct {
	unit           *unit.Definition
	graph          *graph.Graph
	kustomizations []workload.Object // of the streams; one that stands twice is here twice
	helmReleases   []workload.Object
	prepulls       []*prepull
	workloads      []*workload.Pods // the DaemonSets and Deployments of the release to come
	hasWorkload    bool
	tree           *tree // nil: none is given
}

// prepull is the unit at one place: in a namespace of the streams, or in a values file of the tree.
type prepull struct {
	node    *graph.Node       // its Kustomization in a stream, else nil
	spec    *values.Node      // of its Kustomization, nil where there are but pods
	at      values.Position   // of the unit
	objects []workload.Object // what it makes, as far as is known
	whole   bool              // it makes no others
	pods    []*workload.Pods
	lost    []string // what could not be taken into account
}

func newScope(in Input) (*scope, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	objects := in.Objects(in.Streams)
	s := &scope{unit: in.Unit, hasWorkload: len(in.Workload) > 0}
	for _, object := range objects {
		switch {
		case object.Kind == "Kustomization" && object.Group() == "kustomize.toolkit.fluxcd.io":
			s.kustomizations = append(s.kustomizations, object)
		case object.Kind == "HelmRelease" && object.Group() == "helm.toolkit.fluxcd.io":
			s.helmReleases = append(s.helmReleases, object)
		}
	}
	if len(in.Streams) > 0 && len(s.kustomizations) == 0 {
		return nil, fmt.Errorf("no Flux Kustomization among %s of %s: render the whole release", count(objects), names(in.Streams))
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
	if err := s.findPrepulls(objects); err != nil {
		return nil, err
	}
	return s, s.readWorkload(in)
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

// findPrepulls gathers the unit's Kustomizations of the streams with what they make, the unit of the tree, and pods without either.
func (s *scope) findPrepulls(objects []workload.Object) error {
	var pods []workload.Object
	for _, object := range objects {
		if s.isOurs(object) {
			pods = append(pods, object)
		}
	}
	for _, node := range s.graph.OfUnit(s.unit.Name) {
		p := &prepull{node: node, spec: node.Object.Node.Get("spec"), at: node.Object.Where()}
		for _, object := range pods {
			if of := object.Label("kustomize.toolkit.fluxcd.io/namespace"); of == "" || of == node.Namespace {
				p.objects = append(p.objects, object)
			}
		}
		if err := s.build(p); err != nil {
			return err
		}
		s.prepulls = append(s.prepulls, p)
	}
	if len(s.prepulls) == 0 && len(pods) > 0 {
		s.prepulls = append(s.prepulls, &prepull{at: pods[0].Where(), objects: pods})
	}
	if s.tree != nil {
		ofTree, err := s.tree.prepulls(s.unit)
		if err != nil {
			return err
		}
		for _, p := range ofTree {
			if err := s.build(p); err != nil {
				return err
			}
		}
		s.prepulls = append(s.prepulls, ofTree...)
	}
	for _, p := range s.prepulls {
		p.takePods()
	}
	return nil
}

// isOurs reports whether an object is a DaemonSet of the unit: by its name, or by a label of the templates or of Flux.
func (s *scope) isOurs(object workload.Object) bool {
	if object.Kind != "DaemonSet" {
		return false
	}
	names := []string{object.Name, object.Label("app.kubernetes.io/name"), object.Label("kustomize.toolkit.fluxcd.io/name")}
	return slices.Contains(names, s.unit.Name)
}

// build has the directory of the tree built where no stream has what the unit makes.
func (s *scope) build(p *prepull) error {
	if len(p.objects) > 0 || s.tree == nil {
		return nil
	}
	objects, lost, err := s.tree.built(p)
	if err != nil {
		return err
	}
	p.objects, p.whole, p.lost = objects, true, lost
	return nil
}

func (p *prepull) takePods() {
	for _, object := range p.objects {
		if pods := workload.PodsOf(object); pods != nil {
			p.pods = append(p.pods, pods)
		}
	}
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
		return fmt.Errorf("no DaemonSet or Deployment among %s of %s: the rendered manifests of the release are due", count(objects), names(in.Workload))
	}
	if len(s.prepulls) > 0 && len(s.podsOfUnit()) == 0 {
		return errors.New("the workload cannot be compared: the unit's DaemonSet is not in the streams; give the sylva-core tree that has it")
	}
	return nil
}

// notes say what was left out of the objects that were built.
func (s *scope) notes() []string {
	var notes []string
	for _, p := range s.prepulls {
		for _, lost := range p.lost {
			notes = append(notes, fmt.Sprintf("%s: %s: not taken into account: %s", p.at, s.name(p), lost))
		}
	}
	return notes
}

// podsOfUnit are the pods of all prepulls.
func (s *scope) podsOfUnit() []*workload.Pods {
	var pods []*workload.Pods
	for _, p := range s.prepulls {
		pods = append(pods, p.pods...)
	}
	return pods
}

// name is the unit at its place, in messages.
func (s *scope) name(p *prepull) string {
	if p.node != nil {
		return p.node.ID.String()
	}
	return s.unit.Name
}
