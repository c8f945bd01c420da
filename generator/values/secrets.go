package values

import (
	"regexp"
	"slices"
	"strings"
)

// Secrets are the texts in a tree that must not be printed: all strings from Secrets, and those under a key that says so, longest first.
func Secrets(n *Node) []string {
	found := map[string]bool{}
	collect(n, false, found)
	texts := make([]string, 0, len(found))
	for text := range found {
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return texts
}

func collect(n *Node, secret bool, found map[string]bool) {
	switch {
	case n == nil:
		return
	case n.Kind == String || n.Kind == Number:
		if (secret || n.Secret) && len(n.Text) > 3 { // shorter texts stand in every other word
			found[n.Text] = true
			for _, line := range strings.Split(n.Text, "\n") {
				if line = strings.TrimSpace(line); len(line) > 7 {
					found[line] = true
				}
			}
		}
	}
	for key, field := range n.Fields {
		collect(field, secret || secretKey(key), found)
	}
	for _, item := range n.Items {
		collect(item, secret, found)
	}
}

var secretKeys = regexp.MustCompile(`(?i)passw(or)?d|secret|token|credential|private_?key|clouds_?yaml|userdata`)

// secretKey reports whether a key's value is secret. The names of pull secrets are none: pods show them.
func secretKey(key string) bool { return key != "imagePullSecrets" && secretKeys.MatchString(key) }

// Redact replaces secret texts in a message, but for its words that are places (file:line:column).
func Redact(text string, secrets []string) string {
	if !slices.ContainsFunc(secrets, func(secret string) bool { return strings.Contains(text, secret) }) {
		return text
	}
	words := strings.Split(text, " ")
	for i := 0; i < len(words); {
		if places.MatchString(words[i]) {
			i++
			continue
		}
		end := i // secrets may hold blanks: look at all words up to the next place
		for end < len(words) && !places.MatchString(words[end]) {
			end++
		}
		part := strings.Join(words[i:end], " ")
		for _, secret := range secrets {
			part = strings.ReplaceAll(part, secret, "(redacted)")
		}
		words = append(append(words[:i:i], part), words[end:]...)
		i++
	}
	return strings.Join(words, " ")
}

var places = regexp.MustCompile(`^\(?[^ ]+:\d+:\d+\)?[:;,]?$`)

// Unknown is a tree of the same keys in which every value is unknown.
func (n *Node) Unknown(why string) *Node {
	if n.Kind != Map || len(n.Fields) == 0 {
		return &Node{Kind: Unknown, Why: why, At: n.At, KeyAt: n.KeyAt}
	}
	out := &Node{Kind: Map, Fields: make(map[string]*Node, len(n.Fields)), At: n.At, KeyAt: n.KeyAt}
	for key, field := range n.Fields {
		out.Fields[key] = field.Unknown(why)
	}
	return out
}
