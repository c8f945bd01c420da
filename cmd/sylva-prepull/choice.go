package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }

func (c *choice) Set(value string) error {
	if !slices.Contains(c.words, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(c.words, ", "))
	}
	c.value = value
	return nil
}

// addChoice adds a flag whose words are checked, shown in the help and completed.
func addChoice(cmd *cobra.Command, c *choice, name, short, usage string) {
	cmd.Flags().VarP(c, name, short, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.words, cobra.ShellCompDirectiveNoFileComp)) // fails for unknown flags alone
}

// choices is a repeatable flag that takes some of a few words.
type choices struct {
	values, words []string
}

func (c *choices) String() string { return strings.Join(c.values, ",") }
func (c *choices) Type() string   { return "ID" }

func (c *choices) Set(value string) error {
	if !slices.Contains(c.words, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(c.words, ", "))
	}
	c.values = append(c.values, value)
	return nil
}

// addChoices adds a flag whose words are checked and completed.
func addChoices(cmd *cobra.Command, c *choices, name, usage string) {
	cmd.Flags().Var(c, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.words, cobra.ShellCompDirectiveNoFileComp)) // fails for unknown flags alone
}

// pairs is a repeatable flag of NAME=VALUE.
type pairs struct {
	values map[string]string
	kind   string
}

func (p *pairs) String() string { return "" }
func (p *pairs) Type() string   { return p.kind }

func (p *pairs) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" || value == "" {
		return fmt.Errorf("%q is not %s", text, p.kind)
	}
	if old, ok := p.values[name]; ok && old != value {
		return fmt.Errorf("%s is given twice", name)
	}
	if p.values == nil {
		p.values = map[string]string{}
	}
	p.values[name] = value
	return nil
}

var (
	_ pflag.Value = (*choice)(nil)
	_ pflag.Value = (*choices)(nil)
	_ pflag.Value = (*pairs)(nil)
)
