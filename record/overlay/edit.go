package overlay

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is one file of the toolchain, with the edits that are due.
type source struct {
	path  string // below GOROOT/src
	text  []byte
	fset  *token.FileSet
	tree  *ast.File
	edits []edit
}

type edit struct {
	at, end int
	text    string
}

func parse(root, path string) (*source, error) {
	text, err := os.ReadFile(filepath.Join(root, "src", filepath.FromSlash(path)))
	if err != nil {
		return nil, refuse("this toolchain has no %s: its shape is unknown, so nothing is built", path)
	}
	s := &source{path: path, text: text, fset: token.NewFileSet()}
	s.tree, err = parser.ParseFile(s.fset, path, text, parser.ParseComments)
	if err != nil {
		return nil, refuse("%s of this toolchain cannot be parsed, so nothing is built: %v", path, err)
	}
	return s, nil
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *source) replace(n ast.Node, text string) {
	s.edits = append(s.edits, edit{s.offset(n.Pos()), s.offset(n.End()), text})
}

// bytes is the file with its edits.
func (s *source) bytes() []byte {
	slices.SortFunc(s.edits, func(a, b edit) int { return a.at - b.at })
	var b bytes.Buffer
	last := 0
	for _, e := range s.edits {
		b.Write(s.text[last:e.at])
		b.WriteString(e.text)
		last = e.end
	}
	b.Write(s.text[last:])
	return b.Bytes()
}

// function finds a function, or a method of a pointer to recv.
func (s *source) function(recv, name string) (*ast.FuncDecl, error) {
	for _, d := range s.tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Body == nil {
			continue
		}
		if receiver(f) == recv {
			return f, nil
		}
	}
	if recv != "" {
		name = "(*" + recv + ")." + name
	}
	return nil, refuse("%s of this toolchain has no %s: its shape is unknown, so nothing is built", s.path, name)
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	star, ok := f.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return ""
	}
	id, _ := star.X.(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}

// signature refuses a method that takes or returns something else than its
// wrapper does.
func (s *source) signature(f *ast.FuncDecl, result string) error {
	got := ""
	if r := f.Type.Results; r != nil && len(r.List) == 1 {
		if id, ok := r.List[0].Type.(*ast.Ident); ok {
			got = id.Name
		}
	}
	if f.Type.Params.NumFields() != 0 || got != result || f.Type.Results.NumFields() > 1 {
		return refuse("%s: %s of this toolchain has another signature: its shape is unknown, so nothing is built", s.path, f.Name.Name)
	}
	return nil
}

// rename gives a method another name, so that its wrapper can have this one.
func (s *source) rename(recv, name, to, result string) error {
	f, err := s.function(recv, name)
	if err != nil {
		return err
	}
	if err := s.signature(f, result); err != nil {
		return err
	}
	s.replace(f.Name, to)
	return nil
}

// begin puts a statement before a function's others.
func (s *source) begin(name, statement string, params int) error {
	f, err := s.function("", name)
	if err != nil {
		return err
	}
	if f.Type.Params.NumFields() != params {
		return refuse("%s: %s of this toolchain has %d parameters and not %d: its shape is unknown, so nothing is built", s.path, name, f.Type.Params.NumFields(), params)
	}
	at := s.offset(f.Body.Lbrace) + 1
	s.edits = append(s.edits, edit{at, at, " " + statement + ";"})
	return nil
}

// structure finds the fields of a type by name, in the order of the source.
func (s *source) structure(name string) (*ast.StructType, []string, error) {
	var found *ast.StructType
	ast.Inspect(s.tree, func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok && t.Name.Name == name {
			found, _ = t.Type.(*ast.StructType)
		}
		return found == nil
	})
	if found == nil {
		return nil, nil, refuse("%s of this toolchain has no struct %s: its shape is unknown, so nothing is built", s.path, name)
	}
	var fields []string
	for _, f := range found.Fields.List {
		for _, n := range f.Names {
			fields = append(fields, n.Name)
		}
	}
	return found, fields, nil
}

// expect refuses a struct with other fields.
func (s *source) expect(name string, want ...string) error {
	_, fields, err := s.structure(name)
	if err != nil {
		return err
	}
	if !slices.Equal(fields, want) {
		return refuse("%s: %s of this toolchain has fields %s and not %s: its shape is unknown, so nothing is built",
			s.path, name, strings.Join(fields, ", "), strings.Join(want, ", "))
	}
	return nil
}
