package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// commands are all commands that a user sees.
func commands(t *testing.T) []*cobra.Command {
	t.Helper()
	var stdout, stderr bytes.Buffer
	root := newRoot(testWorld(bytes.NewReader(nil), &stdout, &stderr))
	all := slices.DeleteFunc(root.Commands(), func(cmd *cobra.Command) bool { return cmd.Hidden || cmd.Name() == "completion" })
	if len(all) < 4 {
		t.Fatalf("%d commands", len(all))
	}
	return all
}

// TestExamples runs the examples of every command's help, from a copy of the repository.
func TestExamples(t *testing.T) {
	names := commands(t)
	t.Chdir(checkedOut(t))
	for _, cmd := range names {
		if cmd.Example == "" || cmd.Short == "" {
			t.Errorf("%s has no example or no short text", cmd.Name())
		}
		for line := range strings.Lines(cmd.Example) {
			line = strings.TrimSpace(line)
			args, ok := strings.CutPrefix(line, "sylva-prepull ")
			command, input, _ := strings.Cut(args, " < ")
			if !ok {
				t.Errorf("%s: an example that is no command: %s", cmd.Name(), line)
				continue
			}
			var stdout, stderr bytes.Buffer
			if code := runIn(t, strings.Fields(command), input, &stdout, &stderr); code == codeBad {
				t.Errorf("%s: exit code %d\n%s", line, code, stderr.String())
			}
		}
	}
}

// TestHelp: every command has help on stdout and exit code 0; a flag has a text.
func TestHelp(t *testing.T) {
	for _, cmd := range commands(t) {
		var stdout, stderr bytes.Buffer
		if code := run([]string{cmd.Name(), "--help"}, testWorld(bytes.NewReader(nil), &stdout, &stderr)); code != codeFine || !strings.Contains(stdout.String(), "Examples:") || stderr.Len() > 0 {
			t.Errorf("%s --help: exit code %d\n%s%s", cmd.Name(), code, stdout.String(), stderr.String())
		}
	}
}

// TestCompletion: enums complete to their words, files and directories to files and directories.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"explain --cluster ": "management\nworkload\n:4", "explain -o ": "table\njson\nyaml\ncsv\nmarkdown\n:4", "preview --output ": "yaml\njson\n:4",
		"explain --core ": ":16", "explain -f ": "yaml\nyml\n:8", "explain ": ":16", "version -o ": "text\njson\n:4",
		"verify -o ": "text\njson\ncodequality\njunit\n:4", "graph -o ": "text\nmermaid\ndot\n:4",
		"verify --rule ": strings.Join(ruleIDs(newVerifyFlags(world{}).all), "\n") + "\n:4", "verify -r ": "yaml\nyml\njson\n:8", "verify --core ": ":16", "verify ": ":4",
	} {
		var stdout, stderr bytes.Buffer
		words := strings.Split(line, " ")
		if code := run(append([]string{"__complete"}, words...), testWorld(bytes.NewReader(nil), &stdout, &stderr)); code != codeFine || strings.TrimSpace(stdout.String()) != want {
			t.Errorf("%q completes to %q (exit code %d), want %q", line, stdout.String(), code, want)
		}
	}
}

// TestColour: only on a terminal, and not where the user or the terminal does not want it.
func TestColour(t *testing.T) {
	for name, test := range map[string]struct {
		terminal bool
		env      map[string]string
		want     bool
	}{
		"pipe": {}, "terminal": {terminal: true, want: true}, "NO_COLOR": {terminal: true, env: map[string]string{"NO_COLOR": ""}}, "dumb": {terminal: true, env: map[string]string{"TERM": "dumb"}},
	} {
		var stdout, stderr bytes.Buffer
		w := testWorld(bytes.NewReader(nil), &stdout, &stderr)
		w.terminal = test.terminal
		w.lookupEnv = func(key string) (string, bool) { value, ok := test.env[key]; return value, ok }
		if code := run([]string{"explain", inputs + "/example/environment", "--from", "1.6.3", "--to", "1.7.0"}, w); code != codeFine {
			t.Fatal(stderr.String())
		}
		if got := strings.Contains(stdout.String(), "\x1b["); got != test.want {
			t.Errorf("%s: colour is %v", name, got)
		}
		for line := range strings.Lines(stdout.String()) {
			if !test.terminal && len([]rune(strings.TrimRight(line, "\n"))) > 80 && !strings.Contains(line, "values.yaml") {
				t.Errorf("a line of over 80 columns: %s", line)
			}
		}
	}
}
