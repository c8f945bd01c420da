package gotpl

import (
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"
)

// helmFunctions are the functions that Helm adds to sprig's (helm.sh/helm/v3/pkg/engine/funcs.go and engine.go).
func helmFunctions(pure Include) template.FuncMap {
	return template.FuncMap{
		"toYaml":        toYAML,
		"fromYaml":      decodeMap(unmarshalYAML),
		"fromYamlArray": decodeList(unmarshalYAML),
		"toJson":        toJSON,
		"fromJson":      decodeMap(unmarshalJSON),
		"fromJsonArray": decodeList(unmarshalJSON),
		"fail":          func(why string) (string, error) { return "", &Failure{Why: why} },
		"required":      required,
		"include":       includeWith(pure),
		"tpl":           tpl,
	}
}

// undecidable are the functions whose answer is not in the values, with what they ask.
func undecidable() map[string]string {
	all := map[string]string{"lookup": "the cluster", "getHostByName": "the network"}
	for _, name := range []string{"now", "ago", "date", "dateInZone", "date_in_zone", "htmlDate", "htmlDateInZone", "toDate", "mustToDate"} {
		all[name] = "the clock or the time zone"
	}
	for _, name := range []string{"randAlpha", "randAlphaNum", "randAscii", "randNumeric", "randBytes", "randInt", "shuffle", "uuidv4", "htpasswd", "bcrypt",
		"encryptAES", "genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey"} {
		all[name] = "for randomness"
	}
	for _, name := range []string{"toToml", "fromToml", "toYamlPretty"} {
		all[name] = "for TOML or pretty YAML, which is not done here"
	}
	return all
}

func includeWith(pure Include) Include {
	return func(name string, data any) (string, error) {
		if env, ok := EnvOf(data); ok {
			return env.Include(name, data)
		}
		return pure(name, data)
	}
}

func tpl(text string, context any) (string, error) {
	env, ok := EnvOf(context)
	if !ok {
		return "", unknownf("tpl runs in a context of its own")
	}
	return env.Tpl(text)
}

func required(why string, value any) (any, error) {
	if value == nil || value == "" {
		return value, &Failure{Why: why}
	}
	return value, nil
}

func toYAML(value any) string {
	data, err := yaml.Marshal(value)
	if err != nil {
		return "" // as Helm
	}
	return strings.TrimSuffix(string(data), "\n")
}

func toJSON(value any) (string, error) {
	if err := handsContext(value); err != nil {
		return "", err
	}
	text, err := JSON(value)
	if err != nil {
		return "", nil // as Helm
	}
	return text, nil
}

func unmarshalYAML(data []byte, into any) error { return yaml.Unmarshal(data, into) }

// decodeMap and decodeList put the error in the result, as Helm does.
func decodeMap(unmarshal func([]byte, any) error) func(string) map[string]any {
	return func(text string) map[string]any {
		out := map[string]any{}
		if err := unmarshal([]byte(text), &out); err != nil {
			out["Error"] = err.Error()
		}
		return out
	}
}

func decodeList(unmarshal func([]byte, any) error) func(string) []any {
	return func(text string) []any {
		out := []any{}
		if err := unmarshal([]byte(text), &out); err != nil {
			out = []any{err.Error()}
		}
		return out
	}
}
