package function

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
)

// The groups of the objects.
const (
	fluxGroup = "kustomize.toolkit.fluxcd.io"
	appsGroup = "apps"
)

// locate finds the namespace that it is about: a Sylva cluster is a namespace, and a stream may hold several. It is that of
// functionConfig, else the one in which metallb's Kustomization is, else the one of the unit's.
func (r *run) locate() error {
	if r.config.Namespace != "" {
		r.namespace = r.config.Namespace
		return nil
	}
	for _, name := range []string{r.Unit.Holds, r.Unit.Name} {
		namespaces := r.namespacesOf(name)
		switch {
		case len(namespaces) == 1:
			r.namespace = namespaces[0]
			return nil
		case len(namespaces) > 1:
			return fmt.Errorf("the Kustomization %s is in several namespaces (%s): each is a cluster of its own; say which one this is for with metadata.namespace of the functionConfig (a ConfigMap has data.namespace), and run the function for each", name, strings.Join(namespaces, ", "))
		}
	}
	r.namespace = "sylva-system"
	return nil
}

func (r *run) namespacesOf(name string) []string {
	var namespaces []string
	for _, item := range r.list.Items {
		if item.Group() == fluxGroup && item.Kind == "Kustomization" && item.Name == name && !slices.Contains(namespaces, item.Namespace) {
			namespaces = append(namespaces, item.Namespace)
		}
	}
	return namespaces
}

// find is the item of an identity, whatever the version of its API; nil where there is none.
func (r *run) find(group string, id resourcelist.Identity) (*resourcelist.Item, error) {
	var found *resourcelist.Item
	for _, item := range r.list.Items {
		if item.Kind != id.Kind || item.Name != id.Name || item.Namespace != id.Namespace || item.Group() != group {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%s stands twice in the stream", item)
		}
		found = item
	}
	return found, nil
}

// held is the Kustomization that waits. One without a namespace is taken where there is none in the namespace of functionConfig.
func (r *run) held() (*resourcelist.Item, error) {
	id := resourcelist.Identity{Kind: "Kustomization", Namespace: r.namespace, Name: r.names.held}
	item, err := r.find(fluxGroup, id)
	if item != nil || err != nil || r.namespace == "" {
		return item, err
	}
	id.Namespace = ""
	return r.find(fluxGroup, id)
}
