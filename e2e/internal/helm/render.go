package helm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/rest"
)

// A Release is what templates see of the release, and the cluster that lookup asks.
type Release struct {
	Name, Namespace string
	Revision        int
	// Upgrade makes it an upgrade (.Release.IsUpgrade) instead of an installation.
	Upgrade bool
	// KubeVersion is the cluster's version; "" is Helm's default.
	KubeVersion string
	// Cluster is the cluster that lookup asks. With nil all lookups are empty, as in "helm template".
	Cluster *rest.Config
	// SkipSchema leaves the charts' JSON schemas out.
	SkipSchema bool
}

// ErrSchema is wrapped by errors of the charts' JSON schemas.
var ErrSchema = errors.New("refused by the chart's schema")

// Render returns the objects of a chart with its layers of values, in the order of their files. Errors are Helm's.
func (c *Chart) Render(release Release, layers ...map[string]any) ([]*unstructured.Unstructured, error) {
	files, err := c.Files(release, layers...)
	if err != nil {
		return nil, err
	}
	var all []*unstructured.Unstructured
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if extension := path.Ext(name); extension != ".yaml" && extension != ".yml" {
			continue
		}
		objects, err := parse(files[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, objects...)
	}
	return all, nil
}

// Files returns what each template of the chart renders to, by its path in the chart.
func (c *Chart) Files(release Release, layers ...map[string]any) (map[string]string, error) {
	copied := clone(c.loaded)
	values, err := release.values(copied, copyMap(Layers(layers...)))
	if err != nil {
		return nil, err
	}
	if release.Cluster != nil {
		return engine.RenderWithClient(copied, values, release.Cluster)
	}
	return engine.Render(copied, values)
}

// values does what comes before the templates, in Helm's order.
func (r Release) values(c *chart.Chart, given map[string]any) (chartutil.Values, error) {
	capabilities, err := r.capabilities()
	if err != nil {
		return nil, err
	}
	if required := c.Metadata.KubeVersion; required != "" && !chartutil.IsCompatibleRange(required, capabilities.KubeVersion.String()) {
		return nil, fmt.Errorf("chart requires kubeVersion: %s, not %s", required, capabilities.KubeVersion.String())
	}
	if err := chartutil.ProcessDependenciesWithMerge(c, given); err != nil {
		return nil, err
	}
	options := chartutil.ReleaseOptions{
		Name: r.Name, Namespace: r.Namespace, Revision: max(r.Revision, 1), IsUpgrade: r.Upgrade, IsInstall: !r.Upgrade,
	}
	values, err := chartutil.ToRenderValuesWithSchemaValidation(c, given, options, capabilities, true)
	if err != nil || r.SkipSchema {
		return values, err
	}
	if err := chartutil.ValidateAgainstSchema(c, values["Values"].(chartutil.Values)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSchema, err)
	}
	return values, nil
}

func (r Release) capabilities() (*chartutil.Capabilities, error) {
	capabilities := chartutil.DefaultCapabilities.Copy()
	if r.KubeVersion == "" {
		return capabilities, nil
	}
	version, err := chartutil.ParseKubeVersion(r.KubeVersion)
	if err != nil {
		return nil, err
	}
	capabilities.KubeVersion = *version
	return capabilities, nil
}

// parse reads the documents of a rendered file; what is empty is no object, and what is no object with a kind is an error.
func parse(text string) ([]*unstructured.Unstructured, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader([]byte(text)), 4096)
	var objects []*unstructured.Unstructured
	for {
		var object map[string]any
		switch err := decoder.Decode(&object); {
		case errors.Is(err, io.EOF):
			return objects, nil
		case err != nil:
			return nil, err
		case len(object) == 0:
			continue
		}
		u := &unstructured.Unstructured{Object: object}
		if strings.TrimSpace(u.GetKind()) == "" {
			return nil, fmt.Errorf("a document without kind: %v", slices.Sorted(maps.Keys(object)))
		}
		objects = append(objects, u)
	}
}
