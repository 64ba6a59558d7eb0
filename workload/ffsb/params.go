package ffsb

import (
	"embed"
	"slices"
	"strings"
	"time"

	"hostlock/dispatch/block"
	"hostlock/dispatch/pagecache"
	"hostlock/machine"
	"hostlock/machine/param"
	"hostlock/workload"
)

var shapes = []string{"lognormal", "exponential", "uniform", "fixed"}

func params() []param.Spec {
	return []param.Spec{
		{Name: "fs.cpu", Kind: param.Duration, Default: "20us", Max: float64(time.Second),
			About:  "mean processor time of a system call that reads or writes one block, its file system included",
			Source: "assumed: order of magnitude of a direct read or write of 2010; no source gives it, and an experiment may fit it"},
		{Name: "fs.cv", Kind: param.Float, Default: "0.3", Max: 10,
			About:  "standard deviation over mean of the workload's processor times, where they are lognormal",
			Source: "a choice: as the mid-layer's; the throw-away model of the headline used 0.3 to 0.48"},
		{Name: "fs.shape", Kind: param.Choice, Default: "lognormal", Choices: shapes,
			About:  "distribution of the workload's processor times",
			Source: "a choice: positive and skewed, as measured code paths are"},
		{Name: "fs.meta_cpu", Kind: param.Duration, Default: "2us", Max: float64(time.Second),
			About:  "mean processor time of a system call on metadata: open, close, stat, create, unlink, mkdir, rmdir, rename, fsync",
			Source: "assumed: order of magnitude of such a call with warm caches; no source gives it"},
		{Name: "fs.flush", Kind: param.Bool, Default: "true",
			About:  "an fsync flushes the write cache of the file system's devices",
			Source: "ext4 and XFS of 2010 have barriers on by default; ext3 has them off"},
		{Name: "fs.verify", Kind: param.Bool, Default: "false",
			About:  "stamp every sector written and check every sector read; needs a driver that stores data",
			Source: "off: stamping costs real time and memory"},
	}
}

// allParams has the page cache's, too.
func allParams() []param.Spec {
	return slices.Concat(params(), []param.Spec{{
		Name: "fs.page_cache", Kind: param.Bool, Default: "false",
		About:  "buffered I/O goes through a page cache with read-ahead and write-back, and not straight to the device",
		Source: "a choice: off, so that a profile with and without directio differs in nothing else unless it is asked to",
	}}, pagecache.Params(), block.Params())
}

// costs are the parameters of one run.
type costs struct {
	block, meta machine.Dist
	flush       bool
	verify      bool
}

func costsFrom(p *param.Set) costs {
	shape := map[string]machine.Shape{
		"lognormal": machine.Lognormal, "exponential": machine.Exponential,
		"uniform": machine.Uniform, "fixed": machine.Fixed,
	}[p.Choice("fs.shape")]
	cv := p.Float("fs.cv")
	return costs{
		block:  machine.Dist{Mean: p.Duration("fs.cpu"), Shape: shape, CV: cv},
		meta:   machine.Dist{Mean: p.Duration("fs.meta_cpu"), Shape: shape, CV: cv},
		flush:  p.Bool("fs.flush"),
		verify: p.Bool("fs.verify"),
	}
}

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
