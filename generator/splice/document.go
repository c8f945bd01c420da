// Package splice edits the text of a YAML file entry by entry. The file is parsed for positions alone and never written anew from its
// nodes, which would change comments, folds and even values (yaml.v3 changes 36 values of sylva-core's values.yaml in a round trip that
// edits nothing). Lines outside of an edit stay byte for byte; the outcome is parsed again and must hold the intended change and no other.
package splice

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// Document is a YAML file with the edits to be made to it.
type Document struct {
	file    string
	mark    string   // a byte order mark, or nothing
	lineEnd string   // the file's own: \n or \r\n
	lines   []string // without line ends; the last one is empty where the file ends with a line end
	root    *yaml.Node
	before  *values.Node
	after   *values.Node // what the edited file must mean
	edits   []edit
}

// edit replaces the lines from (counted from 0) up to, not with, to. Of the edits at one place the deepest comes first.
type edit struct {
	from, to int
	lines    []string
	depth    int
}

// Parse reads a file to be edited. Refused is what values.Parse refuses, and what cannot be edited line by line with certainty: UTF-16,
// mixed line ends, line breaks that only YAML 1.1 takes for such, document markers. Errors are *values.Error.
func Parse(file string, data []byte) (*Document, error) {
	d := &Document{file: file, lineEnd: "\n"}
	if bytes.HasPrefix(data, []byte{0xFE, 0xFF}) || bytes.HasPrefix(data, []byte{0xFF, 0xFE}) {
		return nil, d.fail(1, 1, nil, "the file is UTF-16: save it as UTF-8")
	}
	text, marked := strings.CutPrefix(string(data), "\uFEFF")
	if marked {
		d.mark = "\uFEFF"
	}
	var err error
	if d.root, d.before, err = values.Document(file, []byte(text)); err != nil {
		return nil, err
	}
	d.after = d.before
	return d, d.split(text)
}

// split cuts the text into lines, as the YAML parser counts them.
func (d *Document) split(text string) error {
	if strings.Contains(text, "\r\n") {
		d.lineEnd = "\r\n"
	}
	d.lines = strings.Split(text, d.lineEnd)
	started := false
	for i, line := range d.lines {
		if at := strings.IndexAny(line, "\r\n\u0085\u2028\u2029"); at >= 0 {
			broken, _ := utf8.DecodeRuneInString(line[at:])
			return d.fail(i+1, at+1, nil, fmt.Sprintf("mixed line ends: %q where lines end with %q; make them all alike", broken, d.lineEnd))
		}
		marker := strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...")
		if marker && started {
			return d.fail(i+1, 1, nil, fmt.Sprintf("a document marker (%s) behind the start: one document is due, without an end marker", line[:3]))
		}
		started = started || marker || !blank(line) && !comment(line) && !strings.HasPrefix(line, "%")
	}
	return nil
}

func (d *Document) fail(line, column int, path []string, text string) error {
	return &values.Error{At: values.Position{File: d.file, Line: line, Column: column}, Path: path, Text: text}
}

func (d *Document) failAt(node *yaml.Node, path []string, text string) error {
	return d.fail(node.Line, node.Column, path, text)
}

// Values is what the file means, without the edits.
func (d *Document) Values() *values.Node { return d.before }

func blank(line string) bool { return strings.TrimSpace(line) == "" }

func comment(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "#") }

// indent counts the spaces in front of a line.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
