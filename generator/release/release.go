// Package release orders Sylva releases.
package release

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"

	"github.com/Masterminds/semver/v3"
)

// Release is a Sylva release: a semantic version, as it was written.
type Release struct {
	text    string
	version *semver.Version
}

// Parse takes 1.7, v1.7.0, 1.7.0-rc1 and 1.6.3+build. A branch or development version has no place in the order and is refused.
func Parse(text string) (Release, error) {
	if !regexp.MustCompile(`^v?\d+\.\d+`).MatchString(text) {
		return Release{}, fmt.Errorf(
			"%q cannot be ordered: a release is 1.7, v1.7.0, 1.7.0-rc1 or 1.6.3+build; for a branch or a development version say whether it is an upgrade (--upgrade, --fresh)",
			text)
	}
	version, err := semver.NewVersion(text)
	if err == nil && regexp.MustCompile(`(^v?|\.)0\d`).MatchString(core(text)) {
		err = semver.ErrSegmentStartsZero
	}
	if err != nil {
		return Release{}, fmt.Errorf("%q is not a release (1.7, v1.7.0, 1.7.0-rc1, 1.6.3+build): %w", text, err)
	}
	if regexp.MustCompile(`(^|-)\d+-g[0-9a-f]{4,40}$`).MatchString(version.Prerelease()) {
		return Release{}, fmt.Errorf(
			"%q is a development version (of git describe: after the tag, not before it) and cannot be ordered: say whether it is an upgrade (--upgrade, --fresh)",
			text)
	}
	if version.Major() == 0 && version.Minor() == 0 {
		return Release{}, fmt.Errorf("%q is a development version and cannot be ordered: say whether it is an upgrade (--upgrade, --fresh)", text)
	}
	return Release{text: text, version: version}, nil
}

// Unordered is a branch or development version: it has a name and no place in the order.
func Unordered(text string) Release { return Release{text: text} }

// core is the text before prerelease and build metadata.
func core(text string) string { return regexp.MustCompile(`[-+].*`).ReplaceAllString(text, "") }

// String is the release as it was written.
func (r Release) String() string { return r.text }

// IsZero reports whether the release has no place in the order: none is given, or it is Unordered.
func (r Release) IsZero() bool { return r.version == nil }

// Compare orders releases as semantic versions, build metadata ignored. Of prereleases that end in a number the number counts:
// rc10 comes after rc2, which semantic versioning would order as text.
func (r Release) Compare(other Release) int {
	a, b := r.version, other.version
	name, number, ok := numbered(a.Prerelease())
	otherName, otherNumber, otherOK := numbered(b.Prerelease())
	sameCore := a.Major() == b.Major() && a.Minor() == b.Minor() && a.Patch() == b.Patch()
	if ok && otherOK && sameCore && name == otherName {
		return cmp.Compare(number, otherNumber)
	}
	return a.Compare(b)
}

func numbered(prerelease string) (string, uint64, bool) {
	m := regexp.MustCompile(`^([A-Za-z-]+)\.?(\d+)$`).FindStringSubmatch(prerelease)
	if m == nil {
		return "", 0, false
	}
	number, err := strconv.ParseUint(m[2], 10, 64)
	return m[1], number, err == nil
}

// AtLeast reports whether the release belongs to the line major.minor or a later one. A prerelease belongs to the line it leads to.
func (r Release) AtLeast(major, minor uint64) bool {
	if r.version.Major() != major {
		return r.version.Major() > major
	}
	return r.version.Minor() >= minor
}

// Line is the release's line, such as 1.7.
func (r Release) Line() string { return fmt.Sprintf("%d.%d", r.version.Major(), r.version.Minor()) }
