package scheduling

import (
	"fmt"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// nameField stands for metadata.name, the one field that matchFields knows. No label has such a key.
const nameField = "metadata.name (field)"

// selection is what a pod asks of a node's labels: all of always, and all of one of the terms.
type selection struct {
	always []requirement
	terms  [][]requirement // none: no affinity is required
}

// selectionOf reads nodeName, nodeSelector and the required node affinity of a pod's spec.
func selectionOf(pod *values.Node) selection {
	var s selection
	if name := pod.Get("nodeName"); name.AsText() != "" {
		s.always = append(s.always, requirement{nameField, "In", []string{name.AsText()}, name.Where()})
	}
	selector := pod.Get("nodeSelector")
	for _, key := range selector.Keys() {
		value := selector.Fields[key]
		s.always = append(s.always, requirement{key, "In", []string{value.AsText()}, value.Where()})
	}
	required := pod.Get("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
	for _, each := range required.Get("nodeSelectorTerms").List() {
		var term []requirement
		for _, expression := range each.Get("matchExpressions").List() {
			term = append(term, requirementOf(expression, expression.Get("key").AsText()))
		}
		for _, expression := range each.Get("matchFields").List() {
			term = append(term, requirementOf(expression, nameField))
		}
		if len(term) > 0 { // an empty term matches no node
			s.terms = append(s.terms, term)
		}
	}
	if required != nil && required.Kind != values.Null && len(s.terms) == 0 {
		never := requirement{key: nameField, operator: "In", at: required.Where()}
		s.terms = [][]requirement{{never}}
	}
	return s
}

func requirementOf(expression *values.Node, key string) requirement {
	r := requirement{key: key, operator: expression.Get("operator").AsText(), at: expression.At}
	for _, value := range expression.Get("values").List() {
		r.values = append(r.values, value.AsText())
	}
	return r
}

// String is the requirement in words of Kubernetes.
func (r requirement) String() string {
	switch r.operator {
	case "Exists", "DoesNotExist":
		return fmt.Sprintf("%s %s", r.key, r.operator)
	case "In":
		if len(r.values) == 1 {
			return fmt.Sprintf("%s=%s", r.key, r.values[0])
		}
	}
	return fmt.Sprintf("%s %s [%s]", r.key, r.operator, strings.Join(r.values, ", "))
}

// granted are the requirements that every node is taken to meet (see the package's comment). The labels are those of the kubelet
// (k8s.io/api core/v1 well_known_labels.go), of virtual-kubelet and of AWS Fargate.
func granted() []requirement {
	return []requirement{
		{key: "kubernetes.io/os", operator: "In", values: []string{"linux"}},
		{key: "beta.kubernetes.io/os", operator: "NotIn", values: []string{"windows"}},
		{key: "type", operator: "NotIn", values: []string{"virtual-kubelet"}},
		{key: "eks.amazonaws.com/compute-type", operator: "NotIn", values: []string{"fargate"}},
	}
}

// nodes are the kinds of node that a selection allows: one for each term, as what each label may be.
func (s selection) nodes() []map[string]domain {
	terms := s.terms
	if len(terms) == 0 {
		terms = [][]requirement{nil}
	}
	var kinds []map[string]domain
	for _, term := range terms {
		kind := map[string]domain{}
		possible := true
		for _, list := range [][]requirement{granted(), s.always, term} {
			for _, r := range list {
				kind[r.key] = domainIn(kind, r.key).narrowed(r)
				possible = possible && !kind[r.key].empty()
			}
		}
		if possible {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func domainIn(kind map[string]domain, key string) domain {
	if d, ok := kind[key]; ok {
		return d
	}
	return anything()
}

// missed are the requirements of the selection that a kind of node need not meet: of what is always asked all, and of the terms the
// first one of each, where no term is met.
func (s selection) missed(kind map[string]domain) []requirement {
	missed := unmet(s.always, kind)
	var alternatives []requirement
	for _, term := range s.terms {
		list := unmet(term, kind)
		if len(list) == 0 {
			return missed
		}
		alternatives = append(alternatives, list[0])
	}
	return append(missed, alternatives...)
}

func unmet(requirements []requirement, kind map[string]domain) []requirement {
	var list []requirement
	for _, r := range requirements {
		if !domainIn(kind, r.key).implies(r) {
			list = append(list, r)
		}
	}
	return list
}
