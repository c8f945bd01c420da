package checkout

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

const script = "tools/generate_units_documentation.py"

// internalColumns is the head of the table of internal units in units-description.md, as sylva-core's script writes it
// (tools/generate_units_documentation.py, convert_to_markdown_table).
const internalColumns = "| name | full description | source |"

// putDescription writes the unit's row into the table of internal units, in its place by name.
func (c *Checkout) putDescription(data []byte) ([]byte, error) {
	lines, from := c.table(data)
	if from < 0 {
		return data, nil
	}
	lines = slices.DeleteFunc(lines, c.isOwn)
	row := c.row(lines[from-1])
	at := from
	for at < len(lines) && strings.HasPrefix(lines[at], "|") && name(lines[at]) < name(row) {
		at++
	}
	return []byte(strings.Join(slices.Insert(lines, at, row), "\n")), nil
}

// dropDescription takes the unit's row out.
func (c *Checkout) dropDescription(data []byte) ([]byte, error) {
	lines, from := c.table(data)
	if from < 0 {
		return data, nil
	}
	return []byte(strings.Join(slices.DeleteFunc(lines, c.isOwn), "\n")), nil
}

// table finds the first row of the table of internal units. Where the layout is another one it is -1, and a note says what to do.
func (c *Checkout) table(data []byte) (lines []string, from int) {
	lines = strings.Split(string(data), "\n")
	head := slices.IndexFunc(lines, func(line string) bool { return strings.TrimSuffix(line, "\r") == internalColumns })
	internal := c.unit.Values.Get("units", c.unit.Name, "info", "internal").Is(true)
	if head < 0 || head+1 >= len(lines) || !strings.HasPrefix(lines[head+1], "| :-") || !internal {
		c.notes = append(c.notes, fmt.Sprintf("%s: the place of an internal unit (a table %q) is not found: run %s for the unit's line",
			filepath.Join(c.root, descriptionFile), internalColumns, script))
		return lines, -1
	}
	return lines, head + 2
}

// row is the unit's row, with the line end of another one: the script joins description and details, and shows lines with <br/>.
func (c *Checkout) row(like string) string {
	info := c.unit.Values.Get("units", c.unit.Name, "info")
	// the script keeps Markdown from taking these for tags
	text := strings.NewReplacer("<=", "\u2264", "<", "\ufe64", ">=", "\u2265", ">", "\ufe65").Replace(info.Get("description").Text)
	if details := info.Get("details"); details != nil && details.Text != "" {
		text += "<br/><br/>" + details.Text
	}
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "<br/>")
	end := ""
	if strings.HasSuffix(like, "\r") {
		end = "\r"
	}
	return fmt.Sprintf("| **%s** | %s | Kustomization |%s", c.unit.Name, text, end)
}

func (c *Checkout) isOwn(line string) bool { return name(line) == "**"+c.unit.Name+"**" }

// name is the first cell of a row.
func name(line string) string {
	cells := strings.SplitN(line, "|", 3)
	if len(cells) < 3 {
		return ""
	}
	return strings.TrimSpace(cells[1])
}
