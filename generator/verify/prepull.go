package verify

import (
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/graph"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// prepull is the unit at one place: in a namespace of the streams, or in a values file of the tree.
type prepull struct {
	node    *graph.Node       // its Kustomization in a stream, else nil
	spec    *values.Node      // of its Kustomization, nil where there are but pods
	at      values.Position   // of the unit
	objects []workload.Object // what it makes, as far as is known
	whole   bool              // it makes no others
	inTree  bool              // it stands in the values of a tree
	pods    []*workload.Pods
	lost    []string // fields of the spec of which what they come to is not known
}

// findPrepulls gathers the unit's Kustomizations of the streams with what they make, the unit of the tree, and pods without either.
func (s *scope) findPrepulls() error {
	var pods []workload.Object
	for _, object := range s.objects {
		if s.isOurs(object) {
			pods = append(pods, object)
		}
	}
	for _, node := range s.graph.OfUnit(s.unit.Name) {
		p := &prepull{node: node, spec: node.Object.Node.Get("spec"), at: node.Object.Where()}
		if p.spec == nil {
			p.spec = values.Empty()
		}
		for _, object := range pods {
			if of := object.Label("kustomize.toolkit.fluxcd.io/namespace"); of == "" || of == node.Namespace {
				p.objects = append(p.objects, object)
			}
		}
		s.build(p)
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
			s.build(p)
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
func (s *scope) build(p *prepull) {
	if len(p.objects) > 0 || s.tree == nil {
		return
	}
	objects, lost, err := s.tree.built(p)
	if err != nil {
		s.unbuilt = err
		return
	}
	p.objects, p.whole, p.lost = objects, true, lost
}

func (p *prepull) takePods() {
	for _, object := range p.objects {
		if pods := workload.PodsOf(object); pods != nil {
			p.pods = append(p.pods, pods)
		}
	}
}

// podsOfUnit are the pods of all prepulls.
func (s *scope) podsOfUnit() []*workload.Pods { return podsOf(s.prepulls) }

func podsOf(prepulls []*prepull) []*workload.Pods {
	var pods []*workload.Pods
	for _, p := range prepulls {
		pods = append(pods, p.pods...)
	}
	return pods
}

// compared are the prepulls to compare a workload with: those of the streams, and of the tree where no stream has the unit. The tree
// does not know what users set.
func (s *scope) compared() []*prepull {
	ofStreams := slices.DeleteFunc(slices.Clone(s.prepulls), func(p *prepull) bool { return p.inTree })
	if len(ofStreams) > 0 {
		return ofStreams
	}
	return s.prepulls
}

// name is the unit at its place, in messages.
func (s *scope) name(p *prepull) string {
	if p.node != nil {
		return p.node.ID.String()
	}
	return s.unit.Name
}
