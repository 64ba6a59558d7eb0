package ffsb

import (
	"embed"
	"strings"

	"hostlock/workload"
)

const kind = "ffsb"

// builtinFS has the profiles that can be named.
//
//go:embed testdata/builtin/*.ffsb
var builtinFS embed.FS

var builtins = []struct{ name, about string }{
	{"headline", "128 threads write to 128 files on 16 SSDs: the load of the published host-lock result"},
	{"randwrite", "32 threads write 8 KiB blocks at random places of 64 files"},
	{"seqread", "16 threads read 64 files from end to end (in the form of FFSB 5)"},
	{"mailserver", "16 threads read, create and delete small files in one spool, with fsync"},
}

func init() {
	f := workload.Format{
		Kind:      kind,
		About:     "an FFSB profile (sections [filesystem] and [threadgroup], or [config0])",
		Recognise: recognise,
		Parse:     parse,
		Params:    allParams(),
	}
	for _, b := range builtins {
		text, err := builtinFS.ReadFile("testdata/builtin/" + b.name + ".ffsb")
		if err != nil {
			panic("ffsb: embedded profile is missing: " + err.Error())
		}
		f.Builtins = append(f.Builtins, workload.Builtin{Name: b.name, About: b.about, Text: text})
	}
	workload.Register(f)
}

// recognise reports whether a text is meant as a profile: a section or a
// setting that only FFSB has. What is wrong with it is then for the parser to
// say.
func recognise(text []byte) bool {
	for line := range strings.Lines(string(text)) {
		line = strings.TrimLeft(line, " \t")
		for _, section := range []string{"[filesystem", "[threadgroup", "[config"} {
			if strings.HasPrefix(strings.ReplaceAll(line, " ", ""), section) {
				return true
			}
		}
		key, _, isSetting := strings.Cut(line, "=")
		if !isSetting {
			continue
		}
		switch strings.TrimSpace(key) {
		case "num_filesystems", "num_threadgroups", "numconfigs", "numfiles",
			"time", "directio", "alignio", "bufferio", "bufferedio", "callout", "location":
			return true
		}
	}
	return false
}
