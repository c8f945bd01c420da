package preview

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/manifest"
)

// checkPods looks at what a user's patches made of the pods: what could never become healthy is refused, and what leaves nodes out is
// noted. files are the manifests before the patches.
func checkPods(files []manifest.File, built []Object) ([]string, error) {
	plain, err := manifest.Built(files, Object{})
	if err != nil {
		return nil, err
	}
	want := podOf(plain[0])
	var notes []string
	for _, object := range built {
		pod := podOf(object)
		if pod == nil {
			continue
		}
		if err := checkPod(object, pod); err != nil {
			return nil, fmt.Errorf("%v %s: %w", object["kind"], nameOf(object), err)
		}
		for _, field := range []string{"nodeSelector", "affinity", "tolerations"} {
			if !reflect.DeepEqual(pod[field], want[field]) {
				notes = append(notes, fmt.Sprintf("a patch changes the %s of the pods: a node that they leave out pulls nothing, and Flux does not miss it", field))
			}
		}
	}
	return notes, nil
}

func checkPod(object, pod Object) error {
	selector, _ := pod["nodeSelector"].(Object)
	for _, key := range sortedKeys(selector) {
		if _, ok := selector[key].(string); !ok {
			return fmt.Errorf("nodeSelector %s: %v is no string, which Kubernetes refuses: quote it", key, selector[key])
		}
	}
	strategy, _ := at(object, "spec", "updateStrategy", "type").(string)
	if object["kind"] == "DaemonSet" && strategy != "" && strategy != "RollingUpdate" {
		return fmt.Errorf("updateStrategy %s: Flux would wait for ever, only RollingUpdate becomes healthy by itself", strategy)
	}
	containers, _ := pod["containers"].([]any)
	for _, each := range containers {
		container, _ := each.(Object)
		if _, err := image.Parse(fmt.Sprint(container["image"])); err != nil {
			return fmt.Errorf("container %v: %w", container["name"], err)
		}
	}
	return nil
}

func podOf(object Object) Object {
	pod, _ := at(object, "spec", "template", "spec").(Object)
	return pod
}

func nameOf(object Object) string {
	name, _ := at(object, "metadata", "name").(string)
	return name
}

func at(object Object, path ...string) any {
	var value any = object
	for _, key := range path {
		m, ok := value.(Object)
		if !ok {
			return nil
		}
		value = m[key]
	}
	return value
}

func sortedKeys(object Object) []string {
	return slices.Sorted(maps.Keys(object))
}
