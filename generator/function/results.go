package function

import (
	"fmt"
	"strconv"
	"strings"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// The results tell what is in the list, not what was changed in it: a second run says the same.

func (r *run) say(severity, message string, about *resourcelist.Reference, file *resourcelist.Path) {
	message = values.Redact(fieldNames().Replace(message), r.secrets)
	r.results = append(r.results, resourcelist.Result{Message: message, Severity: severity, ResourceRef: about, File: file})
}

// fail tells an error.
func (r *run) fail(err error) {
	r.say(resourcelist.Error, err.Error(), r.configReference(), nil)
}

// failed reports whether an error has been told.
func (r *run) failed() bool { return len(r.failures()) > 0 }

// failures are the results without those that tell what would be in the list.
func (r *run) failures() []resourcelist.Result {
	var out []resourcelist.Result
	for _, each := range r.results {
		if each.Severity == resourcelist.Error {
			out = append(out, each)
		}
	}
	return out
}

// problem tells what is wrong with a field of the functionConfig.
func (r *run) problem(p Problem) {
	field := strings.TrimSuffix("functionConfig."+p.Path, ".")
	message := field + ": " + p.Text
	if at := p.At.String(); at != "" {
		message = at + ": " + message
	}
	r.say(resourcelist.Error, message, r.configReference(), nil)
	if p.Path != "" {
		r.results[len(r.results)-1].Field = &resourcelist.Field{Path: p.Path}
	}
}

// warn tells a warning or an error of the decision, by its rule.
func (r *run) warn(severity string, w decision.Warning) {
	message := w.Text
	if w.Source != "" {
		message = w.Source + ": " + message
	}
	r.say(severity, message, nil, nil)
	r.results[len(r.results)-1].Tags = map[string]string{"rule": w.Rule}
}

// configReference is the functionConfig.
func (r *run) configReference() *resourcelist.Reference {
	node := r.list.Config
	if node == nil || text(node.Get("kind")) == "" || text(node.Get("metadata", "name")) == "" {
		return nil
	}
	return &resourcelist.Reference{
		APIVersion: text(node.Get("apiVersion")), Kind: text(node.Get("kind")),
		Name: text(node.Get("metadata", "name")), Namespace: text(node.Get("metadata", "namespace")),
	}
}

func (r *run) unitReference() *resourcelist.Reference {
	return reference(r.unitIdentity())
}

func reference(id resourcelist.Identity) *resourcelist.Reference {
	return &resourcelist.Reference{APIVersion: id.APIVersion, Kind: id.Kind, Name: id.Name, Namespace: id.Namespace}
}

// file is the file that an item came from, nil where kustomize does not say.
func (r *run) file(item *resourcelist.Item) (*resourcelist.Path, error) {
	node, err := r.list.Decode(item)
	if err != nil {
		return nil, err
	}
	annotation := func(names []string) string {
		for _, name := range names {
			if found := text(node.Get("metadata", "annotations", name)); found != "" {
				return found
			}
		}
		return ""
	}
	name := annotation(pathAnnotations())
	if name == "" {
		return nil, nil
	}
	index, err := strconv.Atoi(annotation(indexAnnotations()))
	if err != nil {
		index = 0 // it has none: the first of its file
	}
	return &resourcelist.Path{Path: name, Index: index}, nil
}

// tellActive tells that the unit is on, and what it pulls.
func (r *run) tellActive() {
	var images []string
	for _, each := range r.decision.Images {
		images = append(images, fmt.Sprintf("%s (%s)", each.Image, each.Change))
	}
	r.say(resourcelist.Info, fmt.Sprintf("%s is on, and pulls %s", r.Unit.Name, strings.Join(images, ", ")), r.unitReference(), nil)
	if !r.answered.Set.Core {
		r.say(resourcelist.Warning, "no sylva-core values are among the layers: what the unit itself waits for is not complete", r.unitReference(), nil)
	}
}

// tellNotHeld tells that nothing waits for the unit here. That is as it should be for a generator, which gets no items but its own
// functionConfig.
func (r *run) tellNotHeld() {
	severity := resourcelist.Warning
	if r.alone() {
		severity = resourcelist.Info
	}
	r.say(severity, fmt.Sprintf("the Kustomization %s is not in this stream, so that nothing waits for the unit: run the function as a transformer where it is", r.names.held), nil, nil)
}

// alone reports whether the list holds nothing but the unit and the functionConfig.
func (r *run) alone() bool {
	config := r.configReference()
	for _, item := range r.list.Items {
		isConfig := config != nil && item.Kind == config.Kind && item.Name == config.Name
		if !isConfig && item.Name != r.names.unit && item.Name != r.Unit.Name {
			return false
		}
	}
	return true
}

// tellHeld tells that metallb waits, and by the rule stale-ready where Flux may take the unit for ready too early.
func (r *run) tellHeld(item *resourcelist.Item, root, expression bool) {
	file, err := r.file(item)
	if err != nil {
		r.fail(err)
		return
	}
	message := "waits for " + r.names.unit
	if expression {
		message += ", and by a readyExpr for the images of this upgrade"
	}
	r.say(resourcelist.Info, fmt.Sprintf("%s %s", item, message), reference(item.Identity), file)
	if root || expression {
		return
	}
	r.say(resourcelist.Warning, fmt.Sprintf("%s does not depend on Sylva's root-dependency unit: if Flux sees it before the Kustomization %s on a later upgrade, that one is still Ready from the last; with Flux 2.7 or newer, spec.fluxVersion adds a readyExpr", item, r.names.unit), reference(item.Identity), file)
	r.results[len(r.results)-1].Tags = map[string]string{"rule": "stale-ready"}
}

// Text is a result as a line for people.
func Text(result resourcelist.Result) string {
	line := result.Severity + ": "
	if result.Severity == resourcelist.Error {
		line = "Error: "
	}
	line += result.Message
	if rule := result.Tags["rule"]; rule != "" {
		line += " (" + rule + ")"
	}
	return line
}

// fieldNames gives the flags that messages name the names of the functionConfig's fields.
func fieldNames() *strings.Replacer {
	return strings.NewReplacer(
		"say --from and --to, --upgrade or --fresh", "say spec.release or spec.upgrade",
		"say whether it is an upgrade (--upgrade, --fresh)", "say whether it is an upgrade (spec.upgrade)",
		"give the images with --image NAME=REF, the chart with --metallb-chart-version, or the rendered chart with -w", "give the images with spec.images, or the chart with spec.metallbChartVersion",
		"--from/--to", "spec.release", "--metallb-chart-version", "spec.metallbChartVersion", "--image", "spec.images",
		"--upgrade", "spec.upgrade", "--fresh", "spec.upgrade", "--from", "spec.release.from", "--to", "spec.release.to",
		"--assume", "spec.assume", "and sylva-core's with --core", "and sylva-core's", "with -f", "with spec.valuesFrom",
	)
}
