package release_test

import (
	"strings"
	"testing"

	"gitlab.com/sylva-projects/sylva-elements/sylva-prepull/generator/release"
)

func TestOrder(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     int
	}{
		{"1.6.3", "1.7.0", -1}, {"1.6", "v1.7.0", -1}, {"1.6.0", "1.7.0-rc1", -1}, {"1.6.3", "1.7.0-alpha.2", -1}, {"1.6.0-rc2", "1.7.0", -1},
		{"1.7.0-rc1", "1.7.0", -1}, {"1.7.0-rc2", "1.7.0-rc10", -1}, {"1.7.0-rc.2", "1.7.0-rc.10", -1}, {"1.7.0-beta1", "1.7.0-rc1", -1},
		{"1.9", "1.10", -1}, {"1.5.2", "1.7.1", -1}, {"1.6.3+a", "1.6.3+b", 0}, {"1.7", "1.7.0", 0}, {"v1.7.0", "1.7", 0}, {"1.7.0", "1.6.3", 1}, {"2.0", "1.9", 1},
		{"1.6.3+rke2r1", "1.7.0+k0s.0", -1}, {"1.7.0-rc1", "1.7.0+build", -1}, {"1.7.0-rc", "1.7.0-rc1", -1}, {"1.7.0-rc99999999999999999999", "1.7.0", -1}, {"0.9", "1.7", -1}, {"1.6.3-1", "1.6.3", -1},
	} {
		from, err := release.Parse(test.from)
		if err != nil {
			t.Fatal(err)
		}
		to, err := release.Parse(test.to)
		if err != nil {
			t.Fatal(err)
		}
		if got := from.Compare(to); got != test.want {
			t.Errorf("%s to %s: got %d, want %d", from, to, got, test.want)
		}
		if got := to.Compare(from); got != -test.want {
			t.Errorf("%s to %s: got %d, want %d", to, from, got, -test.want)
		}
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]bool{"1.6.9": false, "1.7": true, "1.7.0-rc1": true, "1.10": true, "2.0": true, "0.9": false} {
		if r, err := release.Parse(text); err != nil || r.AtLeast(1, 7) != want {
			t.Errorf("%s belongs to 1.7 or later: got %v, %v", text, r, err)
		}
	}
	if r, _ := release.Parse("v1.7.0-rc1"); r.Line() != "1.7" || r.String() != "v1.7.0-rc1" {
		t.Errorf("%s of line %s", r, r.Line())
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"main": "cannot be ordered", "release-1.7": "cannot be ordered", "0.0.0-git": "development version", "": "cannot be ordered",
		"1": "cannot be ordered", "1.7.x": "is not a release", "1.7.0.1": "is not a release", " 1.7": "cannot be ordered", "1.7 ": "is not a release", "1.07": "is not a release",
		"1.6.3-5-g0123abc": "development version", "1.7.0-rc1-12-gabcdef0": "development version", "1.7.0-": "is not a release", "1.7.0+a+b": "is not a release", "2026-12-01": "cannot be ordered", "20261201": "cannot be ordered", "1,7": "cannot be ordered", "１.７": "cannot be ordered", "1.99999999999999999999": "out of range", "01.7": "is not a release", "V1.7": "cannot be ordered", ">=1.7": "cannot be ordered", "0.0.1": "development version",
	} {
		if _, err := release.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"1.7", "v1.7.0-rc1", "1.6.3+build", "main", "1.7.0-rc99999999999999999999"} {
		f.Add(seed, "1.7.0")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, errX := release.Parse(a)
		y, errY := release.Parse(b)
		if errX == nil && errY == nil && x.Compare(y) != -y.Compare(x) {
			t.Errorf("%q and %q are not ordered", a, b)
		}
	})
}
