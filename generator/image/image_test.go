package image_test

import (
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/image"
)

func digest(algorithm string, length int) string {
	return algorithm + ":" + strings.Repeat("2", length)
}

func TestParse(t *testing.T) {
	for text, want := range map[string]image.Ref{
		"quay.io/frrouting/frr:10.4.3":                         {Repository: "quay.io/frrouting/frr", Tag: "10.4.3"},
		"192.0.2.10:10051/mabo/frr:10.4.3":                     {Repository: "192.0.2.10:10051/mabo/frr", Tag: "10.4.3"},
		"[2001:db8::1]:5000/frr:1":                             {Repository: "[2001:db8::1]:5000/frr", Tag: "1"},
		"harbor.example:8443/q/frr@" + digest("sha256", 64):    {Repository: "harbor.example:8443/q/frr", Digest: digest("sha256", 64)},
		"harbor.example/q/frr:10.4.3@" + digest("sha512", 128): {Repository: "harbor.example/q/frr", Tag: "10.4.3", Digest: digest("sha512", 128)},
		"harbor.example/q/frr:latest@" + digest("sha256", 64):  {Repository: "harbor.example/q/frr", Tag: "latest", Digest: digest("sha256", 64)},
		"frr:1":                 {Repository: "frr", Tag: "1"},
		"localhost:5000/frr:v1": {Repository: "localhost:5000/frr", Tag: "v1"},
		"quay.io/a/b:" + strings.Repeat("x", 128): {Repository: "quay.io/a/b", Tag: strings.Repeat("x", 128)},
	} {
		got, err := image.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got.Repository != want.Repository || got.Tag != want.Tag || got.Digest != want.Digest || got.String() != text {
			t.Errorf("%s: got %+v", text, got)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                           "empty",
		"quay.io/frrouting/frr":                      "no tag and no digest",
		"localhost:5000/frr":                         "no tag and no digest; a registry's port is not a tag",
		"harbor.example:5000/frrouting/frr":          "no tag and no digest",
		"quay.io/frrouting/frr:latest":               "the tag latest moves",
		"quay.io/metallb/frr-k8s:main":               "the tag main moves",
		"quay.io/FRRouting/frr:10.4.3":               "must be lowercase",
		"quay.io/frrouting/frr:10.4.3 ":              "blank",
		"docker://quay.io/frrouting/frr:10.4.3":      "a scheme",
		"quay.io/frrouting/frr:v0.0.25+build1":       "+ is not allowed",
		"quay.io/frrouting/frr:":                     "empty tag",
		"${REGISTRY}/metallb/frr-k8s:v0.0.25":        "left to substitute",
		"quay.io/a/b:${TAG}":                         "left to substitute",
		"quay.io/a/b:{{ .Values.tag }}":              "a template",
		"quay.io/a/b@sha256:12":                      "invalid",
		"quay.io/a/b@md5:" + strings.Repeat("1", 32): "digest",
		"quay.io/a/b:" + strings.Repeat("x", 129):    "a tag of over 128 characters",
		"quay.io/a/b:1:2":                            "two tags", "quay.io/a/b:" + digest("sha256", 64): "a digest follows @",
		"quay.io/a/b@" + digest("sha512", 64): "length", "quay.io/a/b@" + digest("sha256", 63): "length", "[::1]/x": "no tag",
		"quay.io//b:1": "invalid reference format",
	} {
		if _, err := image.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"frr:1", "docker.io/library/frr:1", true}, {"a/frr:1", "index.docker.io/a/frr:1", true}, {"quay.io/a/frr:1", "a/frr:1", false},
		{"quay.io/a/frr:1", "quay.io/a/frr:1@" + digest("sha256", 64), false},
	} {
		a, errA := image.Parse(test.a)
		b, errB := image.Parse(test.b)
		if errA != nil || errB != nil || a.Same(b) != test.want {
			t.Errorf("%s and %s: got %v, %v, %v", test.a, test.b, a.Same(b), errA, errB)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"quay.io/frrouting/frr:10.4.3", "a@sha256:1", "localhost:5000/a", "a:b@" + digest("sha256", 64), "A/b:1", "[::1]:1/a:b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ref, err := image.Parse(text)
		if err != nil {
			return
		}
		if ref.String() != text {
			t.Errorf("%q comes back as %q", text, ref)
		}
		again, err := image.Parse(ref.Normal())
		if err != nil || !again.Same(ref) {
			t.Errorf("%q is not the same as its normal form %q: %v", text, ref.Normal(), err)
		}
	})
}
