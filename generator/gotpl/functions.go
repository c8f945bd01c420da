package gotpl

import (
	"maps"
	"reflect"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

// functions are sprig's and Helm's (pkg/engine/funcs.go), each refusing to look at a Hole.
func functions(pure Include) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	maps.Copy(all, helmFunctions(pure))
	for name, why := range undecidable() {
		all[name] = func(...any) (any, error) { return nil, unknownf("%s asks %s", name, why) }
	}
	for name, f := range all {
		if depth := lookDepth(name); depth > 0 {
			all[name] = guarded(f, depth)
		}
	}
	for _, name := range []string{"until", "untilStep", "seq", "repeat", "indent", "nindent"} {
		all[name] = bounded(name, all[name])
	}
	all[knownFunc], all[printableFunc], all[stepFunc] = known, printable, step
	return all
}

// lookDepth says how deep a function looks at its arguments: not at all where it only moves them, at the value itself where it only
// asks for its type or picks from it, else at everything.
func lookDepth(name string) int {
	switch name {
	case "dict", "list", "tuple", "set", "append", "prepend", "push", "include", "tpl", "toJson", "fromJson":
		return 0
	case "get", "dig", "hasKey", "keys", "pluck", "pick", "omit", "unset", "first", "last", "rest", "initial", "concat", "values",
		"default", "coalesce", "empty", "ternary", "kindOf", "kindIs", "typeOf", "typeIs", "typeIsLike":
		return shallow
	}
	return deep
}

// guarded wraps f in a function of the same type that first looks at the arguments. Its type is kept because text/template converts
// arguments by it.
func guarded(f any, depth int) any {
	fn := reflect.ValueOf(f)
	typ := withError(fn.Type())
	return reflect.MakeFunc(typ, func(in []reflect.Value) []reflect.Value {
		for i, arg := range in {
			variadic := typ.IsVariadic() && i == len(in)-1
			if err := lookAt(arg, depth, variadic); err != nil {
				return []reflect.Value{reflect.Zero(typ.Out(0)), reflect.ValueOf(&err).Elem()}
			}
		}
		var out []reflect.Value
		if typ.IsVariadic() {
			out = fn.CallSlice(in)
		} else {
			out = fn.Call(in)
		}
		if len(out) == 1 {
			out = append(out, reflect.Zero(typ.Out(1)))
		}
		return out
	}).Interface()
}

// withError is the type of a function that may also return an error.
func withError(typ reflect.Type) reflect.Type {
	if typ.NumOut() == 2 {
		return typ
	}
	in := make([]reflect.Type, typ.NumIn())
	for i := range in {
		in[i] = typ.In(i)
	}
	return reflect.FuncOf(in, []reflect.Type{typ.Out(0), reflect.TypeFor[error]()}, typ.IsVariadic())
}

func lookAt(arg reflect.Value, depth int, variadic bool) error {
	if !arg.CanInterface() {
		return nil
	}
	switch value := arg.Interface().(type) {
	case []any:
		if variadic && depth < deep {
			depth++ // the slice of the arguments is no argument
		}
		return touched(value, depth)
	case map[string]any, string, Hole:
		return touched(value, depth)
	case []map[string]any:
		return touchedAny(value, depth)
	case []string:
		return touchedAny(value, depth)
	}
	return nil
}

func touchedAny[T any](values []T, depth int) error {
	for _, value := range values {
		if err := touched(value, depth); err != nil {
			return err
		}
	}
	return nil
}
