package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/sources"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/units"
)

// sourceFlags say where values come from and what is asked of them: the flags that preview, explain and images share.
type sourceFlags struct {
	files          []string
	core           string
	cluster        choice
	from, to       string
	upgrade, fresh bool
	namespace      string
	revision       int
	assume         pairs
	imageFlags
	unitFlags
}

func (f *sourceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.cluster.words = []string{sources.Management, sources.Workload}
	f.assume.kind = "GUARD=true|false"
	flags.StringArrayVarP(&f.files, "values", "f", nil, "a values `FILE`, merged as Helm merges; repeatable, later wins, - is stdin")
	flags.StringVar(&f.core, "core", "", "a sylva-core checkout `DIR`, whose values are the layers underneath")
	addChoice(cmd, &f.cluster, "cluster", "", "the kind of cluster (default: what the environment or the values say, else management)")
	flags.StringVar(&f.from, "from", "", "the Sylva `RELEASE` that runs; without it --to is a fresh install")
	flags.StringVar(&f.to, "to", "", "the Sylva `RELEASE` to come")
	flags.BoolVar(&f.upgrade, "upgrade", false, "this is an upgrade, whatever the releases are called")
	flags.BoolVar(&f.fresh, "fresh", false, "this is a fresh install")
	flags.StringVar(&f.namespace, "namespace", "", "`NAMESPACE` of the sylva-units release (default: the environment's, else sylva-system)")
	flags.IntVar(&f.revision, "revision", 1, "revision `N` of the sylva-units release")
	flags.Var(&f.assume, "assume", "a guard's result where it cannot be decided; repeatable")
	f.imageFlags.add(cmd)
	f.unitFlags.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("upgrade", "fresh")
	_ = cmd.MarkFlagDirname("core") // these fail for unknown flags alone
	_ = cmd.MarkFlagFilename("values", "yaml", "yml")
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
}

// releases parses --from and --to.
func (f *sourceFlags) releases() (from, to release.Release, err error) {
	for _, each := range []struct {
		flag, text string
		into       *release.Release
	}{{"--from", f.from, &from}, {"--to", f.to, &to}} {
		if each.text == "" {
			continue
		}
		if *each.into, err = release.Parse(each.text); err != nil {
			if f.upgrade || f.fresh {
				*each.into, err = release.Unordered(each.text), nil // said outright
				continue
			}
			return from, to, fmt.Errorf("%s: %w", each.flag, err)
		}
	}
	if !from.IsZero() && f.to == "" && !f.upgrade && !f.fresh {
		return from, to, errors.New("--from needs --to: the release to come")
	}
	return from, to, nil
}

// assumptions parses --assume.
func (f *sourceFlags) assumptions() (map[string]bool, error) {
	out := map[string]bool{}
	for guard, text := range f.assume.values {
		if text != "true" && text != "false" {
			return nil, fmt.Errorf("--assume %s=%s: true or false is due", guard, text)
		}
		out[guard] = text == "true"
	}
	return out, nil
}

// standIn parses the values that stand in for sylva-core's.
func standIn() (*values.Node, error) {
	data, err := units.FS.ReadFile("sylva-core.yaml")
	if err != nil {
		return nil, err
	}
	return values.Parse("built-in values", data)
}
