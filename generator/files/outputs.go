package files

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Record is the file, at the root of a directory of outputs, that says what was written there: lines as sha256sum writes and checks them.
const Record = ".sylva-prepull.sha256"

// Outputs finds what among changes of a directory of outputs would replace a file that is no former output: one that the record does not
// have, or not with this content. It adds the record of what is there once the changes are made. Comments cannot do that: JSON has none,
// and a file that somebody has edited since keeps its comments.
func Outputs(read Reader, changes []Change) (all []Change, foreign []string, err error) {
	before, err := read(Record)
	if err != nil {
		return nil, nil, err
	}
	known := map[string]string{}
	for line := range strings.Lines(string(before)) {
		if sum, path, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "  "); ok {
			known[path] = sum
		}
	}
	for _, each := range changes {
		if each.Before != nil && !each.Same() && known[each.Path] != digest(each.Before) {
			foreign = append(foreign, each.Path)
		}
		known[each.Path] = digest(each.After)
	}
	var record bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(known)) {
		fmt.Fprintf(&record, "%s  %s\n", known[path], path)
	}
	return append(slices.Clip(changes), Change{Path: Record, Before: before, After: record.Bytes()}), foreign, nil
}

// digest takes a file of a checkout with other line ends (git's autocrlf) for the same.
func digest(data []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))))
}
