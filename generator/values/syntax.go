package values

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// syntaxError gives a parser's error the file and a place, and for the mistakes that its wording hides, the cause.
func syntaxError(file string, data []byte, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	at := Position{File: file}
	if m := regexp.MustCompile(`^line (\d+): (.*)`).FindStringSubmatch(text); m != nil {
		at.Line, _ = strconv.Atoi(m[1])
		text = m[2]
	} else if line, column, cause := unplaced(data, text); cause != "" {
		at.Line, at.Column = line, column
		return &Error{At: at, Text: cause}
	}
	if regexp.MustCompile(`^(did not find expected (key|node content|'|<)|found (duplicate|undefined|incompatible) )`).MatchString(text) {
		at.Line++ // errors of the parser, unlike those of its scanner, count lines from 0
	}
	lines := bytes.Split(data, []byte("\n"))
	for _, known := range mistakes() {
		if line, column := firstNear(lines, max(at.Line, 1), known.column); line > 0 {
			at.Line, at.Column = line, column
			return &Error{At: at, Text: known.text}
		}
	}
	at.Line = max(at.Line, 1) // the parser names no line where it is the first
	if at.Line <= len(lines) {
		line := lines[at.Line-1]
		at.Column = min(len(line)-len(bytes.TrimLeft(line, " \t\r")), max(len(line)-1, 0)) + 1
	}
	return &Error{At: at, Text: text}
}

// unplaced finds the place and the cause of what the parser gives no line for: bytes that are no text, and unknown anchors.
func unplaced(data []byte, text string) (line, column int, cause string) {
	offset := -1
	switch {
	case strings.HasPrefix(text, "exceeded max depth"), bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return 0, 0, text
	case text == "control characters are not allowed":
		offset = bytes.IndexFunc(data, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f })
		cause = "a control character: write it as an escape in double quotes"
		if offset >= 0 && data[offset] == 0 {
			cause = "a NUL byte: no text, or UTF-16 without a byte order mark; save the file as UTF-8"
		}
	case strings.Contains(text, "UTF-8"):
		offset, cause = notUTF8(data), "no UTF-8 ("+text+"): save the file as UTF-8"
	case strings.HasPrefix(text, "unknown anchor '"):
		name, _, _ := strings.Cut(strings.TrimPrefix(text, "unknown anchor '"), "'")
		offset, cause = bytes.Index(data, []byte("*"+name)), "an alias without an anchor above it: quote a string that starts with *"
	}
	if offset < 0 {
		return 0, 0, ""
	}
	before := data[:offset]
	return bytes.Count(before, []byte("\n")) + 1, offset - bytes.LastIndexByte(before, '\n'), cause
}

func notUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// mistake is one that people make in values: how it is found on a line, and what to tell.
type mistake struct {
	column func(line []byte) int // from 1, 0 where it is not
	text   string
}

func mistakes() []mistake {
	return []mistake{
		{tabIndent, "a tab indents the line: YAML takes spaces"},
		{find(`^[^"'#|>]*?[:\-]\s+(\{\{)`), "an unquoted template, which YAML reads as a map: write '{{ ... }}' with quotes"},
		{find(`^(<<<<<<<|=======|>>>>>>>)( |\r?$)`), "a conflict of git that is not resolved"},
		{find(`^[^"'#|>]*?[:\-]\s+([@` + "`" + `%])`), "a value that starts with @, ` or %: quote it"},
	}
}

// firstNear looks for a mistake on the reported line and its neighbours: the parser tells where what it could not finish began.
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

// find is the column of the first group of a pattern.
func find(pattern string) func([]byte) int {
	return func(line []byte) int {
		m := regexp.MustCompile(pattern).FindSubmatchIndex(line)
		if m == nil {
			return 0
		}
		return m[2] + 1
	}
}
