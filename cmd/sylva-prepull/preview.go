package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/decision"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/files"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/preview"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

type previewFlags struct {
	sourceFlags
	output    choice
	outputDir string
	diff      string
	force     bool
}

func newPreview(w world) *cobra.Command {
	f := &previewFlags{output: choice{value: "yaml", words: []string{"yaml", "json"}}}
	cmd := &cobra.Command{
		Use:   "preview [ENV_DIR]",
		Short: "Print what Flux would get, and what would land in the cluster",
		Long: `preview prints the objects that the unit comes to: its Flux Kustomization, the DaemonSet as Flux builds it, and the
Kustomization of metallb with its dependsOn. An inactive unit prints nothing, with the reason on stderr.

The HelmRelease that the chart patches into metallb's Kustomization is left out.`,
		Example: `  sylva-prepull preview testdata/example/environment --from 1.6.3 --to 1.7.0
  sylva-prepull preview --core testdata/core testdata/example/environment --from 1.6.3 --to 1.7.0 -o json
  sylva-prepull preview testdata/example/environment --from 1.6.3 --to 1.7.0 --diff 1.6.4`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return f.run(w, args) },
	}
	f.sourceFlags.add(cmd)
	addChoice(cmd, &f.output, "output", "o", "the format")
	cmd.Flags().StringVar(&f.outputDir, "output-dir", "", "write one file an object into `DIR` instead of stdout")
	cmd.Flags().StringVar(&f.diff, "diff", "", "print what differs from another release or environment, `A`, and exit with 1 if something does")
	cmd.Flags().BoolVar(&f.force, "force", false, forceUsage)
	_ = cmd.MarkFlagDirname("output-dir") // these fail for unknown flags alone
	_ = cmd.MarkFlagDirname("diff")
	cmd.MarkFlagsMutuallyExclusive("output-dir", "diff")
	return cmd
}

func (f *previewFlags) run(w world, args []string) error {
	asker, err := f.asker(w)
	if err != nil {
		return err
	}
	objects, err := f.objects(w, asker, one(args))
	switch {
	case err != nil:
		return err
	case f.diff != "":
		return f.compare(w, asker, one(args), objects)
	case f.outputDir != "" && objects != nil:
		return f.write(w, objects)
	}
	text, err := f.text(objects)
	if err == nil {
		_, err = w.out.Write(text)
	}
	return err
}

// objects are what the unit comes to in an environment, nil where it is off; warnings and the reason are told on stderr.
func (f *previewFlags) objects(w world, asker *asker, environment string) ([]preview.Object, error) {
	d, c, err := asker.ask(environment)
	if err != nil {
		return nil, err
	}
	printWarnings(w, d)
	switch {
	case d.Undecided():
		return nil, undecided(w, d)
	case d.Active == decision.False:
		fmt.Fprintf(w.err, "%s is off: %s\n", d.Unit, d.Why)
		return nil, nil
	}
	objects, lost, err := preview.Objects(c)
	if err != nil {
		return nil, errors.New(values.Redact(err.Error(), c.Set.Secrets))
	}
	if !c.Set.Core {
		fmt.Fprintln(w.err, "warning: no sylva-core values given (--core): dependsOn is not complete")
	}
	for _, each := range lost {
		fmt.Fprintf(w.err, "warning: %s\n", values.Redact(each, c.Set.Secrets))
	}
	if preview.Conceal(objects, c.Set.Secrets) {
		fmt.Fprintln(w.err, "warning: secrets of the values are shown as (redacted): Flux gets them as they are")
	}
	return objects, nil
}

// text is the stream of the objects in the format asked for; none make an empty one.
func (f *previewFlags) text(objects []preview.Object) ([]byte, error) {
	if f.output.value == "json" && objects != nil {
		return indented(objects)
	}
	var out bytes.Buffer
	for i, object := range objects {
		data, err := yaml.Marshal(object)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out.WriteString("---\n")
		}
		out.Write(data)
	}
	return out.Bytes(), nil
}

// write puts each object into a file named after kind and name, and the names on stderr.
func (f *previewFlags) write(w world, objects []preview.Object) error {
	var contents []files.Change
	for _, object := range objects {
		name, _ := object["metadata"].(map[string]any)["name"].(string)
		path := fmt.Sprintf("%s-%s.%s", strings.ToLower(fmt.Sprint(object["kind"])), name, f.output.value)
		if strings.ContainsAny(path, `/\`) {
			return fmt.Errorf("%s %q: a name with a slash is none in Kubernetes, and would lead out of --output-dir", object["kind"], name)
		}
		data, err := yaml.Marshal(object)
		if f.output.value == "json" {
			data, err = json.MarshalIndent(object, "", "  ")
			data = append(data, '\n')
		}
		if err != nil {
			return err
		}
		contents = append(contents, files.Change{Path: path, After: data})
	}
	changes, err := files.Onto(below(w, f.outputDir), contents, "\n")
	if err != nil {
		return err
	}
	if err := writeOutputs(w, f.outputDir, changes, f.force); err != nil {
		return err
	}
	for _, each := range changes {
		fmt.Fprintln(w.err, filepath.Join(f.outputDir, each.Path))
	}
	return nil
}
