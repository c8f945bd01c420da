package function

import (
	"encoding/json"
	"testing"
)

func jsonText(t *testing.T, value any, pretty bool) string {
	t.Helper()
	var data []byte
	var err error
	if pretty {
		data, err = json.MarshalIndent(value, "", "  ")
		data = append(data, '\n')
	} else {
		data, err = json.Marshal(value)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
