// Package function is the KRM function: it decides by a functionConfig whether the pre-pull unit runs, and puts its objects into a
// ResourceList or takes them away.
package function

import (
	"fmt"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/sources"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// The type of a functionConfig.
const (
	APIVersion = "prepull.sylva.org/v1alpha1"
	Kind       = "ImagePrepull"
)

// Config is a functionConfig.
type Config struct {
	Namespace    string          // of the unit's and metallb's Kustomization; "" is that of metallb's in the stream
	From, To     release.Release // zero where not given
	Upgrade      *bool           // given outright
	Values       *values.Node    // above ValuesFrom; nil where not given
	ValuesFrom   []Source        // in order, later wins
	Emit         []string        // kinds
	Cluster      string          // "" is what the values say
	Revision     int             // of the Helm release
	Assume       map[string]bool // by guard
	Images       map[string]image.Ref
	ChartVersion string // of metallb
	ReadyExpr    bool   // Flux is 2.7 or newer
}

// Source is an object of the stream that holds values.
type Source struct {
	Kind, Name, Namespace, Key string
	Optional                   bool
	At                         values.Position
}

// emitted are the kinds that can be emitted.
func emitted() []string { return []string{"Kustomization", "DaemonSet"} }

// sourceKinds are the kinds that values can come from.
func sourceKinds() []string { return []string{"ConfigMap", "Secret"} }

// defaultKey is the key of values in the ConfigMaps and Secrets of Sylva's environments.
const defaultKey = "values"

// ReadConfig reads a functionConfig: an ImagePrepull, or a ConfigMap with the same fields as data. What is wrong is told all at once.
func ReadConfig(node *values.Node, definition *unit.Definition) (*Config, []Problem) {
	r := &reader{definition: definition}
	c := &Config{Emit: emitted(), Revision: 1}
	if node == nil || node.Kind != values.Map {
		r.problem(node, "", fmt.Sprintf("there is none: an object of kind %s (%s) is due, or a ConfigMap", Kind, APIVersion))
		return c, r.problems
	}
	apiVersion, kind := r.text(node.Get("apiVersion"), "apiVersion"), r.text(node.Get("kind"), "kind")
	switch {
	case kind == "ConfigMap" && apiVersion == "v1":
		r.configMap(node, c)
	case kind == Kind && apiVersion == APIVersion:
		r.known(node, "", "apiVersion", "kind", "metadata", "spec")
		c.Namespace = r.text(node.Get("metadata", "namespace"), "metadata.namespace")
		r.spec(node.Get("spec"), c)
	default:
		r.problem(node, "kind", fmt.Sprintf("%s of %s: %s of %s is due, or a ConfigMap of v1", kind, apiVersion, Kind, APIVersion))
	}
	return c, r.problems
}

// spec reads the fields of an ImagePrepull.
func (r *reader) spec(node *values.Node, c *Config) {
	if node == nil || node.Kind == values.Null {
		return
	}
	r.known(node, "spec", "release", "upgrade", "values", "valuesFrom", "emit", "cluster", "revision", "assume", "images", "metallbChartVersion", "fluxVersion")
	r.known(node.Get("release"), "spec.release", "from", "to")
	r.upgrade(node.Get("upgrade"), "spec.upgrade", c)
	r.releases(node.Get("release", "from"), node.Get("release", "to"), "spec.release.", c)
	if given := node.Get("values"); given != nil && given.Kind != values.Null {
		if c.Values = given; given.Kind != values.Map {
			r.problem(given, "spec.values", given.Kind.String()+", where a map of Sylva values is due")
		}
	}
	for i, item := range r.list(node.Get("valuesFrom"), "spec.valuesFrom") {
		c.ValuesFrom = append(c.ValuesFrom, r.source(item, fmt.Sprintf("spec.valuesFrom[%d]", i)))
	}
	if given := node.Get("emit"); given != nil {
		c.Emit = nil
		for i, item := range r.list(given, "spec.emit") {
			c.Emit = append(c.Emit, r.choice(item, fmt.Sprintf("spec.emit[%d]", i), emitted()))
		}
	}
	c.Cluster = r.choice(node.Get("cluster"), "spec.cluster", []string{sources.Management, sources.Workload})
	r.revision(node.Get("revision"), "spec.revision", c)
	for _, guard := range r.names(node.Get("assume"), "spec.assume") {
		r.assume(node.Get("assume", guard), guard, "spec.assume."+guard, c)
	}
	for _, name := range r.names(node.Get("images"), "spec.images") {
		r.image(node.Get("images", name), name, "spec.images."+name, c)
	}
	c.ChartVersion = r.version(node.Get("metallbChartVersion"), "spec.metallbChartVersion")
	r.flux(node.Get("fluxVersion"), "spec.fluxVersion", c)
}

func (r *reader) source(node *values.Node, path string) Source {
	r.known(node, path, "kind", "name", "namespace", "key", "optional")
	s := Source{At: node.At, Key: defaultKey}
	s.Kind = r.choice(node.Get("kind"), path+".kind", sourceKinds())
	s.Name = r.text(node.Get("name"), path+".name")
	s.Namespace = r.text(node.Get("namespace"), path+".namespace")
	if key := r.text(node.Get("key"), path+".key"); key != "" {
		s.Key = key
	}
	if optional := r.boolean(node.Get("optional"), path+".optional"); optional != nil {
		s.Optional = *optional
	}
	if node.Kind == values.Map && (s.Kind == "" || s.Name == "") && len(r.problems) == 0 {
		r.problem(node, path, "kind (ConfigMap or Secret) and name are due")
	}
	return s
}
