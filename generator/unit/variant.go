package unit

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/splice"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// ShortestTimeout is what a pull on a slow disk or link should have: less is warned of, by explain and by verify.
const ShortestTimeout = 5 * time.Minute

// Variant is what may be chosen when a unit is written.
type Variant struct {
	OneShot      bool              // the unit goes at the first update after the upgrade, and never comes again
	Timeout      string            // of the health check, as Flux writes durations; empty for the unit's own
	Tolerate     string            // how many nodes may lack the images when the held unit starts: a number, or a percentage rounded down
	Repositories map[string]string // of the images in the manifests, by slot, where they are not the unit's own
}

// VariantOf reads the choices out of a unit as it was written: those that With could have made.
func VariantOf(written *values.Node) Variant {
	v := Variant{OneShot: written.Get("one_shot").Is(true), Timeout: written.Get("kustomization_spec", "timeout").AsText()}
	for _, each := range written.Get("kustomization_spec", "healthCheckExprs").List() {
		text := strings.Join(strings.Fields(each.Get("current").AsText()), " ")
		if m := regexp.MustCompile(`>= ` + desired + ` - ([0-9]+)( |$)`).FindStringSubmatch(text); m != nil {
			v.Tolerate = m[1]
		}
		if m := regexp.MustCompile(`>= ` + desired + ` - ` + desired + ` \* ([0-9]+) / 100( |$)`).FindStringSubmatch(text); m != nil {
			v.Tolerate = m[1] + "%"
		}
	}
	return v
}

// desired is how many nodes should run a pod of the DaemonSet, in an expression of Flux.
const desired = "status.desiredNumberScheduled"

// With is the unit with the choices of a variant made in its text, and so in its values.
func (d *Definition) With(v Variant) (*Definition, error) {
	file := "units/" + d.Name + "/values.yaml"
	document, err := splice.Parse(file, d.Source)
	if err != nil {
		return nil, err
	}
	out := *d
	out.Images = slices.Clone(d.Images)
	steps := []func(*splice.Document, Variant) error{out.oneShot, out.timeout, out.tolerate, out.rename}
	for _, step := range steps {
		if err := step(document, v); err != nil {
			return nil, err
		}
	}
	if out.Source, err = document.Bytes(); err != nil {
		return nil, err
	}
	out.Values, err = values.Parse(file, out.Source)
	return &out, err
}

func (d *Definition) path(keys ...string) []string {
	return append([]string{"units", d.Name}, keys...)
}

func (d *Definition) oneShot(document *splice.Document, v Variant) error {
	if !v.OneShot {
		return nil
	}
	return document.Set(d.path("one_shot"), []string{"one_shot: true"}, "enabled_conditions")
}

// timeout takes the durations that Flux's CRD takes; Flux raises a timeout below 30 s to that.
func (d *Definition) timeout(document *splice.Document, v Variant) error {
	if v.Timeout == "" {
		return nil
	}
	fluxDuration := regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)
	duration, err := time.ParseDuration(v.Timeout)
	if err != nil || !fluxDuration.MatchString(v.Timeout) || duration < 30*time.Second {
		return fmt.Errorf("timeout %q: a duration of 30s or more is due, as 90s, 10m or 1h30m", v.Timeout)
	}
	return document.Set(d.path("kustomization_spec", "timeout"), []string{"timeout: " + v.Timeout}, "targetNamespace")
}

// tolerate relaxes the comparisons of the health check with the number of nodes that should run a pod.
func (d *Definition) tolerate(document *splice.Document, v Variant) error {
	if v.Tolerate == "" {
		return nil
	}
	match := regexp.MustCompile(`^([0-9]{1,6})(%?)$`).FindStringSubmatch(v.Tolerate)
	if match == nil {
		return fmt.Errorf("tolerated nodes %q: a number, or a percentage from 0%% to 99%%, is due", v.Tolerate)
	}
	number, _ := strconv.Atoi(match[1])
	if match[2] == "%" && number > 99 {
		return fmt.Errorf("tolerated nodes %q: with all of them the health check would hold nothing; at most 99%%", v.Tolerate)
	}
	if number == 0 {
		return nil
	}
	tolerated := desired + " - " + strconv.Itoa(number)
	if match[2] == "%" {
		tolerated = fmt.Sprintf("%s - %s * %d / 100", desired, desired, number)
	}
	path := d.path("kustomization_spec", "healthCheckExprs", "0", "current")
	lines, err := document.Entry(path...)
	if err != nil {
		return err
	}
	text := strings.Join(lines, "\n")
	if !strings.Contains(text, ">= "+desired) {
		return errors.New("the unit's health check does not compare with " + desired + ": there is nothing to tolerate")
	}
	return document.Set(path, strings.Split(strings.ReplaceAll(text, ">= "+desired, ">= "+tolerated), "\n"))
}

// rename has spec.images find the images in the manifests under the names that they have there.
func (d *Definition) rename(document *splice.Document, v Variant) error {
	for i, slot := range d.Images {
		repository, ok := v.Repositories[slot.Name]
		if !ok || repository == slot.Image {
			continue
		}
		d.Images[i].Image = repository
		list := d.Values.Get(d.path("kustomization_spec", "images")...)
		if list == nil {
			continue
		}
		for at, item := range list.Items {
			if name := item.Get("name"); name != nil && name.Text == slot.Image {
				path := d.path("kustomization_spec", "images", strconv.Itoa(at), "name")
				if err := document.Set(path, []string{"name: " + repository}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
