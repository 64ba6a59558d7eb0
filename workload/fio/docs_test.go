package fio

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	docFile  = "../../docs/fio.md"
	docBegin = "<!-- from the table of options: go test ./workload/fio -run TestDocumentation with HOSTLOCK_WRITE_DOCS=1 -->\n"
)

// TestDocumentation: what docs/fio.md says of options and engines is what the
// table says.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile(docFile)
	require.NoError(t, err)
	prose, _, found := strings.Cut(string(text), docBegin)
	require.True(t, found)
	want := prose + docBegin + tables()
	if os.Getenv("HOSTLOCK_WRITE_DOCS") != "" {
		require.NoError(t, os.WriteFile(docFile, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(text))
	require.Less(t, strings.Count(want, "\n"), 121)
}

// tables are the engines, and the options by what they do.
func tables() string {
	var b strings.Builder
	b.WriteString("\n## Engines\n\n| `ioengine` | here |\n|---|---|\n")
	rows := &grouped{}
	for _, e := range engines {
		rows.add("`"+e.name+"`", e.about)
	}
	rows.write(&b)
	b.WriteString("\n## Options that act\n\n| option | here |\n|---|---|\n")
	rows = &grouped{}
	reasons := map[Effect][]string{}
	named := map[string][]string{}
	for _, o := range Options() {
		name := "`" + o.Name + "`"
		if o.Effect == Acts {
			for _, a := range o.Aliases {
				name += " `" + a + "`"
			}
			rows.add(name, o.About)
			continue
		}
		key := string(o.Effect) + o.About
		if named[key] == nil {
			reasons[o.Effect] = append(reasons[o.Effect], o.About)
		}
		named[key] = append(named[key], name)
	}
	rows.write(&b)
	for _, part := range []struct {
		effect Effect
		title  string
	}{{Quiet, "Options that change nothing"}, {Refused, "Options that are refused"}} {
		fmt.Fprintf(&b, "\n## %s\n\n", part.title)
		for _, why := range reasons[part.effect] {
			fmt.Fprintf(&b, "- %s: %s\n", why, strings.Join(named[string(part.effect)+why], " "))
		}
	}
	return b.String()
}

// grouped are rows of which neighbours that say the same are one.
type grouped struct{ names, about []string }

func (g *grouped) add(name, about string) {
	if n := len(g.about); n > 0 && g.about[n-1] == about {
		g.names[n-1] += " " + name
		return
	}
	g.names, g.about = append(g.names, name), append(g.about, about)
}

func (g *grouped) write(b *strings.Builder) {
	for i := range g.names {
		fmt.Fprintf(b, "| %s | %s |\n", g.names[i], g.about[i])
	}
}
