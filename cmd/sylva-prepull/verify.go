package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/verify"
)

type verifyFlags struct {
	streamFlags
	workload    []string
	core        string
	all         []verify.Rule
	rules, skip choices
	output      choice
}

// newVerifyFlags has the rules that there are.
func newVerifyFlags(w world) *verifyFlags {
	f := &verifyFlags{output: choice{value: "text", words: []string{"text", "json", "codequality", "junit"}}}
	f.all = append(verify.Rules(), verify.Stale(func() ([]verify.Difference, error) { return f.stale(w) }))
	f.rules.words, f.skip.words = ruleIDs(f.all), ruleIDs(f.all)
	return f
}

func newVerify(w world) *cobra.Command {
	f := newVerifyFlags(w)
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the wiring before it meets a cluster",
		Long: `verify checks what is rendered for a cluster (-r), the workload to come (-w) and a sylva-core tree (--core), in any
combination: dependencies of all Kustomizations, and the health check, images, nodes and pods of the pre-pull unit.
Each finding is one line with its place. What a rule could not check is said on stderr.

The exit code is 0 without a finding, 1 with one, and 2 where nothing can be checked.

` + ruleHelp(f.all),
		Example: `  sylva-prepull verify -r testdata/verify/release.yaml
  sylva-prepull verify -r testdata/verify/release.yaml -w testdata/verify/workload.yaml -o codequality
  sylva-prepull verify -r - --skip-rule dangling-dependency < testdata/verify/broken.yaml`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return f.run(w) },
	}
	f.streamFlags.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.workload, "workload", "w", nil,
		"rendered manifests `FILE` of the release to come (helm template of its chart); repeatable")
	flags.StringVar(&f.core, "core", "", "a sylva-core checkout `DIR`")
	addChoices(cmd, &f.rules, "rule", "check by this rule alone; repeatable")
	addChoices(cmd, &f.skip, "skip-rule", "do not check by this rule; repeatable")
	f.unitFlags.add(cmd)
	addChoice(cmd, &f.output, "output", "o", "the format")
	_ = cmd.MarkFlagFilename("workload", "yaml", "yml", "json") // these fail for unknown flags alone
	_ = cmd.MarkFlagDirname("core")
	_ = cmd.MarkFlagDirname("units-dir")
	return cmd
}

func (f *verifyFlags) run(w world) error {
	rules, err := f.selected()
	if err != nil {
		return err
	}
	input, err := f.input(w)
	if err != nil {
		return err
	}
	report, err := verify.Run(input, rules)
	if err != nil {
		return err
	}
	if err := printReport(w, report, f.output.value); err != nil {
		return err
	}
	if len(report.Findings) > 0 {
		return exit(codeFinding)
	}
	return nil
}

func (f *verifyFlags) input(w world) (verify.Input, error) {
	if err := once(f.rendered, f.workload); err != nil {
		return verify.Input{}, err
	}
	if len(f.rendered) == 0 && f.core == "" {
		return verify.Input{}, errors.New("nothing to check: -r FILE is due (rendered manifests), or --core DIR (a sylva-core checkout)")
	}
	definition, err := f.definition()
	if err != nil {
		return verify.Input{}, err
	}
	input := verify.Input{Unit: definition, FS: w.fsys, Core: f.core, Namespace: f.namespace}
	if input.Streams, err = readStreams(w, f.rendered); err != nil {
		return verify.Input{}, err
	}
	input.Workload, err = readStreams(w, f.workload)
	return input, err
}

// selected are the rules that --rule and --skip-rule leave.
func (f *verifyFlags) selected() ([]verify.Rule, error) {
	rules := slices.DeleteFunc(slices.Clone(f.all), func(rule verify.Rule) bool {
		return len(f.rules.values) > 0 && !slices.Contains(f.rules.values, rule.ID) || slices.Contains(f.skip.values, rule.ID)
	})
	if len(rules) == 0 {
		return nil, errors.New("--rule and --skip-rule leave no rule")
	}
	return rules, nil
}

func ruleIDs(rules []verify.Rule) []string {
	var ids []string
	for _, rule := range rules {
		ids = append(ids, rule.ID)
	}
	return ids
}

// ruleHelp lists the rules for the help.
func ruleHelp(rules []verify.Rule) string {
	var b strings.Builder
	b.WriteString("Rules:\n")
	for _, rule := range rules {
		fmt.Fprintf(&b, "  %-22s %s\n", rule.ID, rule.Finds)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
