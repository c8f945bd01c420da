package gotpl

import (
	"slices"
	"text/template/parse"
)

// The functions that the guard puts into parse trees.
const (
	knownFunc     = "_known_"
	printableFunc = "_printable_"
	stepFunc      = "_step_"
)

// guard rewrites a parse tree so that every place where text/template itself would look at a value first asks whether it is known:
// the end of pipelines (output, if, with, range) and the arguments of the builtins. The other functions guard themselves.
func guard(root *parse.ListNode) error {
	g := &guarder{}
	g.list(root)
	return g.err
}

type guarder struct{ err error }

func (g *guarder) list(list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, node := range list.Nodes {
		switch n := node.(type) {
		case *parse.ActionNode:
			g.pipe(n.Pipe)
			if len(n.Pipe.Decl) == 0 {
				end(n.Pipe, printableFunc)
			}
		case *parse.IfNode:
			g.branch(&n.BranchNode)
		case *parse.WithNode:
			g.branch(&n.BranchNode)
		case *parse.RangeNode:
			g.branch(&n.BranchNode)
			countSteps(n.List)
		case *parse.TemplateNode:
			g.err = &Unknown{Why: "the template runs another by {{template}}"}
		}
	}
}

func (g *guarder) branch(n *parse.BranchNode) {
	g.pipe(n.Pipe)
	end(n.Pipe, knownFunc)
	g.list(n.List)
	g.list(n.ElseList)
}

// pipe guards what is inside a pipeline, not its end: what happens to that is its consumer's affair.
func (g *guarder) pipe(p *parse.PipeNode) {
	var cmds []*parse.CommandNode
	for i, cmd := range p.Cmds {
		check := builtinCheck(cmd)
		for j, arg := range cmd.Args {
			g.node(arg)
			if j > 0 && check != "" && !literal(arg) {
				cmd.Args[j] = wrap(arg, check)
			}
		}
		if i > 0 && check != "" {
			cmds = append(cmds, call(check, cmd.Pos))
		}
		cmds = append(cmds, cmd)
	}
	p.Cmds = cmds
}

func (g *guarder) node(node parse.Node) {
	switch n := node.(type) {
	case *parse.PipeNode:
		g.pipe(n)
	case *parse.ChainNode:
		g.node(n.Node)
	}
}

// builtinCheck is the guard for the arguments of one of text/template's own functions.
func builtinCheck(cmd *parse.CommandNode) string {
	name, ok := cmd.Args[0].(*parse.IdentifierNode)
	switch {
	case !ok:
		return ""
	case slices.Contains([]string{"print", "printf", "println", "html", "js", "urlquery"}, name.Ident):
		return printableFunc
	case slices.Contains([]string{"and", "or", "not", "eq", "ne", "lt", "le", "gt", "ge", "len", "index", "slice", "call"}, name.Ident):
		return knownFunc
	}
	return ""
}

// countSteps makes every turn of a loop take from the run's budget.
func countSteps(body *parse.ListNode) {
	cmd := call(stepFunc, body.Pos)
	cmd.Args = append(cmd.Args, &parse.VariableNode{NodeType: parse.NodeVariable, Pos: body.Pos, Ident: []string{"$"}})
	pipe := &parse.PipeNode{NodeType: parse.NodePipe, Pos: body.Pos, Cmds: []*parse.CommandNode{cmd}}
	step := &parse.ActionNode{NodeType: parse.NodeAction, Pos: body.Pos, Pipe: pipe}
	body.Nodes = append([]parse.Node{step}, body.Nodes...)
}

func literal(node parse.Node) bool {
	switch node.Type() {
	case parse.NodeString, parse.NodeNumber, parse.NodeBool, parse.NodeNil:
		return true
	}
	return false
}

func call(name string, pos parse.Pos) *parse.CommandNode {
	id := parse.NewIdentifier(name).SetPos(pos)
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: pos, Args: []parse.Node{id}}
}

func end(p *parse.PipeNode, name string) { p.Cmds = append(p.Cmds, call(name, p.Pos)) }

func wrap(arg parse.Node, name string) parse.Node {
	cmd := call(name, arg.Position())
	cmd.Args = append(cmd.Args, arg)
	return &parse.PipeNode{NodeType: parse.NodePipe, Pos: arg.Position(), Cmds: []*parse.CommandNode{cmd}}
}
