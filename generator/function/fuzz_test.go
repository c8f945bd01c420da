package function

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/resourcelist"
	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/values"
)

// FuzzRun: no panic on a hostile stream; a failure lets nothing through; of what succeeds a second run changes nothing, and the items
// that are none of the function's business come out as they went in.
func FuzzRun(f *testing.F) {
	for _, forms := range []map[string]string{metallbs, traces} {
		for _, metallb := range forms {
			f.Add([]byte(listHead + "items:\n" + indented(metallb, 0) + indented(others, 0) + config))
		}
	}
	fn := testFunction(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		var out, again bytes.Buffer
		_, err := fn.Run(bytes.NewReader(data), &out)
		if err != nil {
			if list, parseErr := resourcelist.Parse(out.Bytes()); errors.Is(err, ErrFailed) && (parseErr != nil || len(list.Items) > 0) {
				t.Errorf("a failure lets items through, or is no list: %v\n%s", parseErr, out.String())
			}
			return
		}
		if _, err := values.Parse("x", data); err != nil || strings.Contains(string(data), "\u2028") {
			return // no YAML: nobody sends it
		}
		if _, err := fn.Run(bytes.NewReader(out.Bytes()), &again); err != nil || again.String() != out.String() {
			t.Errorf("a second run is another: %v\n%q\n%q\n%q", err, data, out.String(), again.String())
		}
		before, after := parse(t, string(data)), parse(t, out.String())
		if strings.Join(otherTexts(before), "") != strings.Join(otherTexts(after), "") && strings.HasSuffix(string(data), "\n") {
			t.Errorf("other items have changed\n%q\n%q", data, out.String())
		}
	})
}
