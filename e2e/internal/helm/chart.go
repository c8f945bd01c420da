package helm

import (
	"fmt"
	"maps"
	"os"

	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
)

// A Chart is a chart as it was loaded; renders leave it as it is.
type Chart struct{ loaded *chart.Chart }

// Load reads a chart: a directory, or a .tgz. Its dependencies must be inside, as Helm wants them.
func Load(path string) (*Chart, error) {
	loaded, err := loader.Load(path)
	if err != nil {
		return nil, fmt.Errorf("chart %s: %w", path, err)
	}
	return &Chart{loaded}, nil
}

// Version is the chart's own version.
func (c *Chart) Version() string { return c.loaded.Metadata.Version }

// AppVersion is the version of what the chart installs: the tag of images whose tag is empty.
func (c *Chart) AppVersion() string { return c.loaded.AppVersion() }

// ReadLayer reads a file of values, as --values does. A file that is no map is an error.
func ReadLayer(path string) (map[string]any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values, err := chartutil.ReadValues(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return values, nil
}

// Layers puts layers of values onto each other as Helm's command line does (mergeMaps of pkg/cli/values): maps are merged, all
// else is replaced, and a null stays, to take the chart's own value away.
func Layers(layers ...map[string]any) map[string]any {
	merged := map[string]any{}
	for _, layer := range layers {
		merged = onto(merged, layer)
	}
	return merged
}

func onto(below, above map[string]any) map[string]any {
	merged := maps.Clone(below)
	for key, value := range above {
		if upper, ok := value.(map[string]any); ok {
			lower, _ := merged[key].(map[string]any)
			value = onto(ifNil(lower), upper)
		}
		merged[key] = value
	}
	return merged
}

func ifNil(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// clone copies what Helm changes of a chart: which dependencies are enabled, and the values that they import.
func clone(c *chart.Chart) *chart.Chart {
	copied := *c
	metadata := *c.Metadata
	metadata.Dependencies = nil
	for _, dependency := range c.Metadata.Dependencies {
		d := *dependency
		metadata.Dependencies = append(metadata.Dependencies, &d)
	}
	copied.Metadata = &metadata
	copied.Values = copyMap(c.Values)
	below := make([]*chart.Chart, 0, len(c.Dependencies()))
	for _, dependency := range c.Dependencies() {
		below = append(below, clone(dependency))
	}
	copied.SetDependencies(below...)
	return &copied
}

// copyMap copies maps in maps, and lists; templates may change them (sprig's set).
func copyMap(m map[string]any) map[string]any {
	copied := make(map[string]any, len(m))
	for key, value := range m {
		copied[key] = copyValue(value)
	}
	return copied
}

func copyValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		return copyMap(value)
	case []any:
		copied := make([]any, len(value))
		for i, item := range value {
			copied[i] = copyValue(item)
		}
		return copied
	}
	return value
}
