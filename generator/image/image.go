// Package image reads container image references as Kubernetes nodes do, and refuses those that cannot be pre-pulled safely.
package image

import (
	_ "crypto/sha512" // digests of this kind are taken too
	"errors"
	"fmt"
	"strings"

	"github.com/distribution/reference"
)

// Ref is an image reference.
type Ref struct {
	Repository  string // as written, registry and port included
	Tag, Digest string
	normal      string
}

// Parse reads a reference that a pod can be given and that names one image: with a tag other than latest and main, or a digest.
// Sylva refuses the others on its clusters (ValidatingAdmissionPolicy disallow-latest-and-main-tag).
func Parse(text string) (Ref, error) {
	if err := mistake(text); err != nil {
		return Ref{}, fmt.Errorf("image %q: %w", text, err)
	}
	named, err := reference.ParseNormalizedNamed(text)
	if err != nil {
		return Ref{}, fmt.Errorf("image %q: %w", text, err)
	}
	ref := Ref{normal: named.String()}
	if tagged, ok := named.(reference.Tagged); ok {
		ref.Tag = tagged.Tag()
	}
	if digested, ok := named.(reference.Digested); ok {
		ref.Digest = digested.Digest().String()
	}
	ref.Repository = strings.TrimSuffix(strings.TrimSuffix(text, "@"+ref.Digest), ":"+ref.Tag)
	switch {
	case ref.Digest != "":
	case ref.Tag == "":
		return Ref{}, fmt.Errorf("image %q: no tag and no digest; a registry's port is not a tag", text)
	case ref.Tag == "latest" || ref.Tag == "main":
		return Ref{}, fmt.Errorf("image %q: the tag %s moves, and Sylva's admission policy refuses it; name a version", text, ref.Tag)
	}
	return ref, nil
}

// mistake names the mistakes that the parser's message would hide.
func mistake(text string) error {
	switch {
	case text == "":
		return errors.New("empty")
	case strings.Contains(text, "${"):
		return errors.New("a variable is left to substitute: ${...} must be resolved before")
	case strings.Contains(text, "{{"):
		return errors.New("a template is left to evaluate")
	case strings.ContainsAny(text, " \t\r\n"):
		return errors.New("blank in the reference")
	case strings.Contains(text, "://"):
		return errors.New("a scheme: a reference starts with the registry's host")
	case strings.HasSuffix(text, ":"):
		return errors.New("empty tag")
	case len(tag(text)) > 128:
		return errors.New("a tag of over 128 characters")
	case strings.HasPrefix(tag(text), "sha256:"), strings.HasPrefix(tag(text), "sha512:"):
		return errors.New("a digest follows @, not a colon")
	case strings.Contains(tag(text), ":"):
		return errors.New("two tags: a repository has none of its own")
	case strings.Contains(text[strings.LastIndex(text, "/")+1:], "+"):
		return errors.New("+ is not allowed in a tag")
	}
	return nil
}

// tag is what follows the first colon of the last part of a reference, up to a digest.
func tag(text string) string {
	name, _, _ := strings.Cut(text[strings.LastIndex(text, "/")+1:], "@")
	_, tag, _ := strings.Cut(name, ":")
	return tag
}

// String is the reference as written.
func (r Ref) String() string {
	text := r.Repository
	if r.Tag != "" {
		text += ":" + r.Tag
	}
	if r.Digest != "" {
		text += "@" + r.Digest
	}
	return text
}

// Same reports whether both references name the same image: frr:1 is docker.io/library/frr:1.
func (r Ref) Same(other Ref) bool { return r.normal == other.normal }

// Normal is the reference with registry and path written out, the form to compare.
func (r Ref) Normal() string { return r.normal }
