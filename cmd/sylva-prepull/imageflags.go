package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/unit"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/workload"
)

// imageFlags say what is known of the images beside the values.
type imageFlags struct {
	images                 pairs
	chartVersion, workload string
}

func (f *imageFlags) add(cmd *cobra.Command) {
	f.images.kind = "NAME=REF"
	cmd.Flags().Var(&f.images, "image", "an image to pull, by its name in the unit; repeatable")
	cmd.Flags().StringVar(&f.chartVersion, "metallb-chart-version", "", "the `VERSION` of the held unit's chart, instead of the values'")
	cmd.Flags().StringVarP(&f.workload, "workload", "w", "", "rendered manifests `FILE` of the release to come (helm template), for the images")
	_ = cmd.MarkFlagFilename("workload", "yaml", "yml") // fails for unknown flags alone
}

// fill puts what the flags say into a question.
func (f *imageFlags) fill(w world, q *decision.Question) (err error) {
	q.ChartVersion = f.chartVersion
	if q.Images, err = givenImages(f.images.values, q.Unit); err != nil {
		return err
	}
	if q.Workload, err = readObjects(w, f.workload); err == nil && f.workload != "" && len(q.Workload) == 0 {
		err = fmt.Errorf("%s: no object in it: the rendered chart of the release to come is due", f.workload)
	}
	return err
}

// givenImages parses --image.
func givenImages(texts map[string]string, definition *unit.Definition) (map[string]image.Ref, error) {
	out := map[string]image.Ref{}
	for name, text := range texts {
		if !slices.ContainsFunc(definition.Images, func(slot unit.Slot) bool { return slot.Name == name }) {
			var names []string
			for _, slot := range definition.Images {
				names = append(names, slot.Name)
			}
			return nil, fmt.Errorf("--image %s: the images of %s are %s", name, definition.Name, strings.Join(names, ", "))
		}
		ref, err := image.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--image %s: %w", name, err)
		}
		out[name] = ref
	}
	return out, nil
}

// readObjects reads a stream of manifests; - is stdin.
func readObjects(w world, file string) ([]workload.Object, error) {
	if file == "" {
		return nil, nil
	}
	if file == "-" {
		data, err := io.ReadAll(w.in)
		if err != nil {
			return nil, err
		}
		return workload.Read("stdin", data)
	}
	data, err := w.fsys.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return workload.Read(file, data)
}
