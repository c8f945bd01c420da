package values

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	sigs "sigs.k8s.io/yaml"
)

// scalar types a scalar as Helm does (sigs.k8s.io/yaml, YAML 1.1): no and on are booleans, 0x1f and 1_000 numbers.
func (c *converter) scalar(y *yaml.Node) (*Node, error) {
	n := &Node{Kind: String, Scalar: y.Value, Text: y.Value, At: c.at(y)}
	n.Plain = y.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	switch {
	case y.Style&yaml.TaggedStyle != 0:
		return n, c.tagged(n, y)
	case !n.Plain:
	case mayBeTyped(y.Value):
		return n, c.typed(n, y, y.Value)
	}
	n.conceal()
	return n, nil
}

// conceal makes an encrypted string unknown: SOPS keeps keys readable and values not.
func (n *Node) conceal() {
	if strings.HasPrefix(n.Text, "ENC[AES256_GCM,") {
		*n = Node{Kind: Unknown, At: n.At, KeyAt: n.KeyAt, Why: "encrypted with SOPS", Secret: true}
	}
}

// mayBeTyped reports whether plain text can be anything but a string: the words and first bytes that YAML 1.1 gives a meaning.
func mayBeTyped(text string) bool {
	if text == "" || strings.IndexByte("+-.0123456789~", text[0]) >= 0 {
		return strings.Trim(text, "+-.:_~ 0123456789abcdefABCDEFxXoOinINtTzZ") == "" // numbers in all bases, .inf, .NaN, times
	}
	switch len(text) {
	case 1, 2, 3, 4, 5:
		switch strings.ToLower(text) {
		case "y", "yes", "n", "no", "true", "false", "on", "off", "null":
			return true
		}
	}
	return false
}

// typed sets the type of a plain scalar: the forms that nearly all values have at once, the others as the library that Helm uses.
func (c *converter) typed(n *Node, y *yaml.Node, source string) error {
	switch source {
	case "true", "false":
		n.Kind, n.Scalar = Bool, source == "true"
		return nil
	}
	if whole, err := strconv.ParseUint(source, 10, 53); err == nil && (source == "0" || source[0] != '0') {
		n.Kind, n.Scalar = Number, float64(whole)
		return nil
	}
	if whole, fraction, _ := strings.Cut(source, "."); digits(whole) && digits(fraction) {
		if value, err := strconv.ParseFloat(source, 64); err == nil {
			n.Kind, n.Scalar = Number, value
			return nil
		}
	}
	var document map[string]any
	if err := sigs.Unmarshal([]byte("v: "+source), &document); err != nil {
		if y.Style&yaml.TaggedStyle != 0 { // the text may be a password: it is not repeated
			return c.fail(y, fmt.Sprintf("the tag %s does not fit the value, and Helm refuses it", y.Tag))
		}
		return c.fail(y, fmt.Sprintf("%q has no JSON form, and Helm refuses it: quote it", source))
	}
	switch v := document["v"].(type) {
	case nil:
		n.Kind, n.Scalar = Null, nil
	case bool:
		n.Kind, n.Scalar = Bool, v
	case float64:
		n.Kind, n.Scalar = Number, v
	case string:
		n.Kind, n.Scalar = String, v
	}
	return nil
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// tagged types a scalar with an explicit tag.
func (c *converter) tagged(n *Node, y *yaml.Node) error {
	switch y.Tag {
	case "!!str":
		n.conceal()
		return nil
	case "!!int", "!!float", "!!bool", "!!null", "!!binary", "!!timestamp":
		return c.typed(n, y, y.Tag+" "+strconv.Quote(y.Value))
	}
	n.conceal() // any other tag makes a string of it, as in Helm
	return nil
}

// helmKey is the string that Helm makes of a plain key: 1.30 is 1.3, on is true.
func helmKey(source string) (string, error) {
	var document map[string]any
	if err := sigs.Unmarshal([]byte(source+": 0"), &document); err != nil || len(document) != 1 {
		return "", fmt.Errorf("the key %q is none that Helm takes: quote it", source)
	}
	for key := range document {
		source = key
	}
	return source, nil
}
