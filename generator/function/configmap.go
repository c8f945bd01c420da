package function

import (
	"fmt"
	"slices"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/sources"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// dataKeys are the keys of a ConfigMap, which "kustomize fn run -- key=value" makes; assume.GUARD and images.NAME are others.
func dataKeys() []string {
	return []string{"from", "to", "upgrade", "values", "valuesFrom", "emit", "namespace", "cluster", "revision", "metallbChartVersion", "fluxVersion"}
}

// commandLine is the name that kustomize gives the ConfigMap of its command line. Its values come as they were typed, without quotes.
const commandLine = "function-input"

// configMap reads a functionConfig that is a ConfigMap.
func (r *reader) configMap(node *values.Node, c *Config) {
	data := map[string]*values.Node{}
	given := node.Get("data")
	typed := r.text(node.Get("metadata", "name"), "metadata.name") == commandLine
	for _, key := range r.names(given, "data") {
		data[key] = r.dataText(given.Fields[key], key, typed)
		guard, isGuard := strings.CutPrefix(key, "assume.")
		name, isImage := strings.CutPrefix(key, "images.")
		switch {
		case isGuard:
			r.assume(data[key], guard, "data."+key, c)
		case isImage:
			r.image(data[key], name, "data."+key, c)
		case !slices.Contains(dataKeys(), key):
			r.problem(given.Fields[key], "data."+key, "unknown key; known are "+strings.Join(dataKeys(), ", ")+", assume.GUARD and images.NAME")
		}
	}
	r.upgrade(data["upgrade"], "data.upgrade", c)
	r.releases(data["from"], data["to"], "data.", c)
	r.dataValues(data["values"], c)
	r.dataSources(data["valuesFrom"], c)
	if data["emit"] != nil {
		c.Emit = r.words(data["emit"], "data.emit", emitted())
	}
	c.Namespace = r.text(data["namespace"], "data.namespace")
	c.Cluster = r.choice(data["cluster"], "data.cluster", []string{sources.Management, sources.Workload})
	r.revision(data["revision"], "data.revision", c)
	c.ChartVersion = r.version(data["metallbChartVersion"], "data.metallbChartVersion")
	r.flux(data["fluxVersion"], "data.fluxVersion", c)
}

// dataText is a value of data as the text that it is written as. Only the command line may leave out the quotes.
func (r *reader) dataText(node *values.Node, key string, typed bool) *values.Node {
	switch {
	case node.Kind == values.Number && !typed:
		r.version(node, "data."+key)
		return nil
	case node.Kind == values.List || node.Kind == values.Map || node.Kind == values.Unknown:
		r.problem(node, "data."+key, node.Kind.String()+", where a text is due")
		return nil
	}
	if node.Kind == values.Null || node.Text == "" {
		return nil
	}
	return &values.Node{Kind: values.String, Scalar: node.Text, Text: node.Text, At: node.At, KeyAt: node.KeyAt, Why: asText}
}

func (r *reader) dataValues(node *values.Node, c *Config) {
	if node == nil {
		return
	}
	layer, err := values.Parse("functionConfig data.values", []byte(node.Text))
	if err != nil {
		r.problem(node, "data.values", err.Error())
	}
	c.Values = layer
}

// dataSources reads KIND/NAME or KIND/NAME/KEY, several with commas.
func (r *reader) dataSources(node *values.Node, c *Config) {
	if node == nil {
		return
	}
	for _, each := range strings.Split(node.Text, ",") {
		parts := strings.Split(strings.TrimSpace(each), "/")
		if len(parts) < 2 || len(parts) > 3 || !slices.Contains(sourceKinds(), parts[0]) || parts[1] == "" {
			r.problem(node, "data.valuesFrom", fmt.Sprintf("%q: ConfigMap/NAME/KEY or Secret/NAME/KEY is due", each))
			continue
		}
		source := Source{Kind: parts[0], Name: parts[1], Key: append(parts, defaultKey)[2], At: node.At}
		c.ValuesFrom = append(c.ValuesFrom, source)
	}
}

func (r *reader) words(node *values.Node, path string, known []string) []string {
	var out []string
	for _, each := range strings.Split(node.Text, ",") {
		if each = strings.TrimSpace(each); !slices.Contains(known, each) {
			r.problem(node, path, fmt.Sprintf("%q is none of %s", each, strings.Join(known, ", ")))
			continue
		}
		out = append(out, each)
	}
	return out
}
