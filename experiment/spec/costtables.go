package spec

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"hostlock/closest"
	"hostlock/files"
	"hostlock/machine/param"
	"hostlock/machine/sim"
)

const costDir = "costtables"

//go:embed costtables/*.toml
var costFS embed.FS

// Names of cost tables that are no file of the program's.
const (
	// DefaultCosts is the table of the simulated machine's own defaults.
	DefaultCosts = "x86-2010-4s"
	// ThisCosts is what 'lab calibrate --keep' measured on this computer.
	ThisCosts = "this"
)

// CostTable is a cost table as it stands in its file.
type CostTable struct {
	Name, Title string
	Like        string // the table that what is not given is taken from; "" is the machine's defaults
	Given       []param.Setting
}

// builtinCosts are the names of the embedded tables, in order.
func builtinCosts() []string {
	entries, err := costFS.ReadDir(costDir)
	if err != nil {
		panic("spec: embedded cost tables are missing: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// CostTables lists the names of all cost tables.
func CostTables() []string { return append(builtinCosts(), ThisCosts) }

// ThisCostsFile is where the table of this computer is kept. Its error says that
// the system names no such place.
func ThisCostsFile() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("this computer's cost table has no place: %w", err)
	}
	return filepath.Join(dir, "hostlock", "costs.toml"), nil
}

// OpenCosts reads a cost table by its name, or any by its file; a name wins over
// a file that is called the same. Underscores stand for hyphens. Its error is a
// [UsageError], with file:line for a file.
func OpenCosts(nameOrFile string) (*CostTable, error) {
	name := strings.ReplaceAll(nameOrFile, "_", "-")
	if slices.Contains(builtinCosts(), name) {
		file := path.Join(costDir, name+".toml")
		text, err := costFS.ReadFile(file)
		if err != nil {
			panic("spec: embedded cost table is missing: " + err.Error())
		}
		return parseCostTable(file, text)
	}
	file := nameOrFile
	if name == ThisCosts {
		var err error
		if file, err = ThisCostsFile(); err != nil {
			return nil, Usagef("--costs this: %w", err)
		}
	}
	text, err := files.Read(file, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) && name == ThisCosts:
		return nil, Usagef("--costs this: this computer was not measured yet; legal: 'lab calibrate --keep' first")
	case errors.Is(err, fs.ErrNotExist):
		return nil, Usagef("--costs %s: no such table, and no such file; legal: %s, or a file that 'lab show costs' or 'lab calibrate' wrote%s",
			nameOrFile, strings.Join(CostTables(), ", "), closest.Hint(nameOrFile, CostTables()))
	case err != nil:
		return nil, Usagef("--costs %s: %w; legal: %s, or a file that 'lab calibrate' wrote", nameOrFile, err, strings.Join(CostTables(), ", "))
	}
	return parseCostTable(file, text)
}

// parseCostTable is OpenCosts of a text.
func parseCostTable(name string, text []byte) (*CostTable, error) {
	d := decode(name, text, costKeys)
	if err := d.err(); err != nil {
		return nil, err
	}
	root := d.root()
	c := &CostTable{Name: root.text("name", ""), Title: root.text("title", ""), Like: root.text("like", ""), Given: d.parameters()}
	if c.Like != "" && !slices.Contains(builtinCosts(), c.Like) {
		d.fault("like", "like=%q; legal: %s%s", c.Like, strings.Join(builtinCosts(), ", "), closest.Hint(c.Like, builtinCosts()))
	}
	legal := param.New()
	legal.Declare(sim.Params()...)
	for i, v := range c.Given {
		c.Given[i].Fitted = false // a cost is measured or cited
		if err := legal.Apply(v); err != nil {
			d.faults = append(d.faults, WrongSetting(err).(*UsageError))
		}
	}
	if len(c.Given) == 0 && c.Name == "" && len(d.faults) == 0 {
		d.fault("", "no [[parameter]] in this cost table; legal: a file that 'lab calibrate' or 'lab show costs' wrote")
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return c, nil
}

// Settings are the table's costs with what it takes from others. A table that is
// like another, or has a name and nothing else, gives every cost; any other leaves
// the rest as it is.
func (c *CostTable) Settings() ([]param.Setting, error) {
	if c.Like == "" && len(c.Given) > 0 {
		return c.Given, nil
	}
	var out []param.Setting
	if c.Like != "" {
		base, err := OpenCosts(c.Like)
		if err != nil {
			return nil, err
		}
		if out, err = base.Settings(); err != nil {
			return nil, err
		}
		for i, v := range out {
			if !slices.ContainsFunc(c.Given, func(g param.Setting) bool { return g.Name == v.Name }) {
				out[i].Source = fmt.Sprintf("no source: as %s (%s)", c.Like, v.Source)
			}
		}
	} else {
		for _, s := range sim.Params() {
			out = append(out, param.Setting{Name: s.Name, Value: s.Default, Source: s.Source})
		}
	}
	for _, v := range c.Given {
		i := slices.IndexFunc(out, func(o param.Setting) bool { return o.Name == v.Name })
		out[i] = v // every cost is there, and Given names no other
	}
	return out, nil
}

// Text is the whole table, every cost with its source, as a file to copy.
func (c *CostTable) Text() ([]byte, error) {
	list, err := c.Settings()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	head := ""
	if c.Name != "" {
		head = fmt.Sprintf("Cost table %s: %s.", c.Name, c.Title)
	}
	var remarks []string
	if head != "" {
		remarks = append(remarks, head, "Copy it, edit it, and run it: lab run --machine sim --costs FILE")
	}
	err = WriteCosts(&b, list, remarks)
	return b.Bytes(), err
}

// LoadCosts is what a cost table sets, by its name or file. Its error is a
// [UsageError], with file:line for a file.
func LoadCosts(nameOrFile string) ([]param.Setting, error) {
	c, err := OpenCosts(nameOrFile)
	if err != nil {
		return nil, err
	}
	return c.Settings()
}
