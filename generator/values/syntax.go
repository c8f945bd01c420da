package values

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// syntaxError gives a parser's error the file and, for the two mistakes that its wording hides, the cause.
func syntaxError(file string, data []byte, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	at := Position{File: file}
	if m := regexp.MustCompile(`^line (\d+): (.*)`).FindStringSubmatch(text); m != nil {
		at.Line, _ = strconv.Atoi(m[1])
		text = m[2]
	}
	lines := bytes.Split(data, []byte("\n"))
	if line, column := firstNear(lines, at.Line, tabIndent); line > 0 {
		at.Line, at.Column, text = line, column, "a tab indents the line: YAML takes spaces"
		return &Error{At: at, Text: text}
	}
	if line, column := firstNear(lines, at.Line, bareTemplate); line > 0 {
		at.Line, at.Column = line, column
		text = "an unquoted template, which YAML reads as a map: write '{{ ... }}' with quotes"
		return &Error{At: at, Text: text}
	}
	if at.Line > 0 && at.Line <= len(lines) {
		line := lines[at.Line-1]
		at.Column = len(line) - len(bytes.TrimLeft(line, " \t")) + 1
	}
	return &Error{At: at, Text: text + ""}
}

// firstNear looks for a mistake on the reported line and its neighbours: the parser counts some marks one line early.
func firstNear(lines [][]byte, around int, column func([]byte) int) (int, int) {
	for _, line := range []int{around, around + 1, around - 1} {
		if line >= 1 && line <= len(lines) {
			if col := column(lines[line-1]); col > 0 {
				return line, col
			}
		}
	}
	return 0, 0
}

func tabIndent(line []byte) int {
	indent := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	return bytes.IndexByte(indent, '\t') + 1
}

func bareTemplate(line []byte) int {
	m := regexp.MustCompile(`^[^"'#|>]*?[:\-]\s+(\{\{)`).FindSubmatchIndex(line)
	if m == nil {
		return 0
	}
	return m[2] + 1
}
