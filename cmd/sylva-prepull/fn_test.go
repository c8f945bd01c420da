package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// failing is a stream that breaks, and must not be read at all where fail is set.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error)  { return 0, f.err }
func (f failing) Write([]byte) (int, error) { return 0, f.err }

// bare runs the program without arguments.
func bare(in io.Reader, terminal bool, args ...string) (stdout, stderr string, code int) {
	var out, told bytes.Buffer
	w := testWorld(bytes.NewReader(nil), &out, &told)
	w.in, w.inTerminal = in, terminal
	code = run(args, w)
	return out.String(), told.String(), code
}

// TestBare: without a command the program is a function where stdin holds something, and else helps. A terminal is not waited for.
func TestBare(t *testing.T) {
	list, err := os.ReadFile(inputs + "/krm-on/list.yaml")
	if err != nil {
		t.Fatal(err)
	}
	byName, _, _ := bare(bytes.NewReader(list), false, "fn")
	if out, told, code := bare(bytes.NewReader(list), false); code != codeFine || out != byName || !strings.Contains(told, "info: metallb-image-prepull is on") {
		t.Errorf("a ResourceList: exit code %d\n%s", code, told)
	}
	for name, in := range map[string]io.Reader{"nothing": bytes.NewReader(nil), "a closed pipe": failing{io.EOF}} {
		if out, _, code := bare(in, false); code != codeFine || !strings.Contains(out, "Available Commands:") {
			t.Errorf("%s: exit code %d\n%s", name, code, out)
		}
	}
	if out, _, code := bare(failing{errors.New("a terminal was read")}, true); code != codeFine || !strings.Contains(out, "Available Commands:") {
		t.Errorf("a terminal: exit code %d\n%s", code, out)
	}
	for _, text := range []string{"hello\n", "a: 1\n---\nb: 2\n", "\x00", "kind: ConfigMap\n"} {
		if out, told, code := bare(strings.NewReader(text), false); code != codeBad || out != "" || !strings.Contains(told, "Error: stdin") {
			t.Errorf("%q: exit code %d\n%s\n%s", text, code, told, out)
		}
	}
}

// TestBrokenStreams: a stream that cannot be read or written is an error, and no success.
func TestBrokenStreams(t *testing.T) {
	if out, told, code := bare(failing{errors.New("the disk is gone")}, false, "fn"); code != codeBad || out != "" || !strings.Contains(told, "the disk is gone") {
		t.Errorf("in: exit code %d\n%s", code, told)
	}
	list, err := os.ReadFile(inputs + "/krm-on/list.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{list, bytes.Replace(list, []byte("from: 1.6.3"), []byte("from: main"), 1)} {
		var told bytes.Buffer
		w := testWorld(bytes.NewReader(text), nil, &told)
		w.out = failing{errors.New("no space left")}
		if code := run([]string{"fn"}, w); code != codeBad || !strings.Contains(told.String(), "no space left") {
			t.Errorf("out: exit code %d\n%s", code, told.String())
		}
	}
}
