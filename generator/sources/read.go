package sources

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

func (l *Loader) readAll(files []string) ([]*values.Node, error) {
	var out []*values.Node
	if stdin := slices.Index(files, "-"); stdin >= 0 && slices.Index(files[stdin+1:], "-") >= 0 {
		return nil, errors.New("stdin (-) can be read once")
	}
	for _, file := range files {
		n, err := l.read(file)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// read parses a file, once.
func (l *Loader) read(file string) (*values.Node, error) {
	l.reading.Lock()
	defer l.reading.Unlock()
	if n, ok := l.files[file]; ok {
		return n, nil
	}
	data, name, err := l.bytes(file)
	if err != nil {
		return nil, err
	}
	n, err := values.Parse(name, data)
	if err != nil {
		return nil, err
	}
	l.files[file] = n
	return n, nil
}

func (l *Loader) bytes(file string) ([]byte, string, error) {
	if file == "-" {
		data, err := io.ReadAll(l.stdin)
		return data, "stdin", err
	}
	if l.fsys.IsDir(file) {
		return nil, "", fmt.Errorf("%s is a directory: a values file is due, an environment is an argument", file)
	}
	data, err := l.fsys.ReadFile(file)
	return data, file, err
}
