package gotpl

import (
	"slices"
	"text/template/parse"
)

// reads collects the paths below .Values in a template: .Values.a.b, $x.Values.a, ((.Values.a).b).c, and the literal keys of
// dig, hasKey, get and index behind them. A path may be read in vain (a branch not taken), never missed: where the whole context is
// handed to a function, the guard ends the run.
func reads(root *parse.ListNode) [][]string {
	r := reader{seen: map[string]bool{}}
	r.walk(root)
	return r.paths
}

type reader struct {
	paths [][]string
	seen  map[string]bool
}

func (r *reader) add(path []string) {
	key := ""
	for _, name := range path {
		key += name + "\x00"
	}
	if !r.seen[key] {
		r.seen[key] = true
		r.paths = append(r.paths, slices.Clone(path))
	}
}

func (r *reader) walk(node parse.Node) {
	if path, ok := chain(node); ok {
		r.add(path)
		return
	}
	switch n := node.(type) {
	case *parse.ListNode:
		if n != nil {
			for _, child := range n.Nodes {
				r.walk(child)
			}
		}
	case *parse.ActionNode:
		r.walk(n.Pipe)
	case *parse.IfNode:
		r.branch(&n.BranchNode)
	case *parse.WithNode:
		r.branch(&n.BranchNode)
	case *parse.RangeNode:
		r.branch(&n.BranchNode)
	case *parse.ChainNode:
		r.walk(n.Node)
	case *parse.PipeNode:
		r.pipe(n)
	case *parse.CommandNode:
		for _, arg := range n.Args {
			r.walk(arg)
		}
	}
}

func (r *reader) branch(n *parse.BranchNode) {
	r.walk(n.Pipe)
	r.walk(n.List)
	r.walk(n.ElseList)
}

// pipe looks for X | dig "a" "b" default, dig "a" default X, hasKey X "a", get X "a" and index X "a".
func (r *reader) pipe(n *parse.PipeNode) {
	if n == nil {
		return
	}
	for i := 0; i < len(n.Cmds); i++ {
		if i+1 < len(n.Cmds) && len(n.Cmds[i].Args) == 1 {
			path, ok := chain(n.Cmds[i].Args[0])
			if keys := digKeys(n.Cmds[i+1], 1); ok && len(keys) > 0 {
				r.add(append(slices.Clone(path), keys...))
				r.walkArgs(n.Cmds[i+1].Args[1:])
				i++
				continue
			}
		}
		r.command(n.Cmds[i])
	}
}

func (r *reader) command(cmd *parse.CommandNode) {
	args := cmd.Args
	name, _ := args[0].(*parse.IdentifierNode)
	switch {
	case name == nil:
	case name.Ident == "dig" && len(args) > 3:
		if path, ok := chain(args[len(args)-1]); ok {
			r.add(append(slices.Clone(path), digKeys(cmd, 2)...))
			r.walkArgs(args[1 : len(args)-1])
			return
		}
	case slices.Contains([]string{"hasKey", "get", "index"}, name.Ident) && len(args) > 2:
		if path, ok := chain(args[1]); ok {
			r.add(append(slices.Clone(path), literals(args[2:])...))
			r.walkArgs(args[2:])
			return
		}
	}
	r.walkArgs(args)
}

func (r *reader) walkArgs(args []parse.Node) {
	for _, arg := range args {
		r.walk(arg)
	}
}

// digKeys are the literal keys that lead a dig; behind them stand a default and, unless it is piped, the map: after says how many.
func digKeys(cmd *parse.CommandNode, after int) []string {
	name, _ := cmd.Args[0].(*parse.IdentifierNode)
	if name == nil || name.Ident != "dig" || len(cmd.Args) < 2+after {
		return nil
	}
	return literals(cmd.Args[1 : len(cmd.Args)-after])
}

func literals(args []parse.Node) []string {
	var keys []string
	for _, arg := range args {
		text, ok := arg.(*parse.StringNode)
		if !ok {
			break
		}
		keys = append(keys, text.Text)
	}
	return keys
}

// chain returns the path below .Values that a node walks, if it does. The path is empty for .Values itself.
func chain(node parse.Node) ([]string, bool) {
	switch n := node.(type) {
	case *parse.FieldNode:
		return below(n.Ident)
	case *parse.VariableNode:
		return below(n.Ident[1:])
	case *parse.PipeNode:
		if n != nil && len(n.Decl) == 0 && len(n.Cmds) == 1 && len(n.Cmds[0].Args) == 1 {
			return chain(n.Cmds[0].Args[0])
		}
	case *parse.ChainNode:
		if path, ok := chain(n.Node); ok {
			return append(slices.Clone(path), n.Field...), true
		}
		return below(n.Field)
	}
	return nil, false
}

func below(names []string) ([]string, bool) {
	i := slices.Index(names, "Values")
	if i < 0 {
		return nil, false
	}
	return names[i+1:], true
}
