package function

import (
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/preview"
)

// What sylva-units gives every Kustomization (unit_definition_defaults in its values.yaml), so that none of them is Ready before all are
// updated: they depend on root-dependency-<revision>, whose job waits until those with the label have the revision's annotation.
const (
	rootPrefix         = "root-dependency-"
	rootWaitLabel      = "sylva-units/root-dependency-wait"
	revisionAnnotation = "sylva-units-helm-revision"
)

// follow has the unit's Kustomization be of the same revision as metallb's, where that one depends on the root dependency: one that is
// still Ready from the last upgrade would let metallb go on too early.
func (r *run) follow(kustomization preview.Object) error {
	item, err := r.held()
	if item == nil || err != nil {
		return err
	}
	e, err := r.edges(item)
	if err != nil || e.root == "" {
		return err
	}
	spec := kustomization["spec"].(preview.Object)
	dependsOn, _ := spec["dependsOn"].([]any)
	dependsOn = slices.DeleteFunc(slices.Clone(dependsOn), func(entry any) bool {
		name, _ := entry.(preview.Object)["name"].(string)
		return strings.HasPrefix(name, rootPrefix)
	})
	spec["dependsOn"] = append(dependsOn, preview.Object{"name": e.root})
	metadata := kustomization["metadata"].(preview.Object)
	for _, each := range []struct{ field, key string }{{"labels", rootWaitLabel}, {"annotations", revisionAnnotation}} {
		if value := e.node.Get("metadata", each.field, each.key); value != nil {
			own, _ := metadata[each.field].(preview.Object)
			metadata[each.field] = union(map[string]any{each.key: value.Text}, own, "")
		}
	}
	return nil
}
