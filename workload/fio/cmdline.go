package fio

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hostlock/files"
)

// ofFio are options of the program and not of a job: those that may be there,
// with an argument or without, and those that make it do something else than run
// jobs.
var (
	programArg = []string{"output", "output-format", "eta", "eta-newline", "eta-interval", "status-interval", "section", "alloc-size",
		"max-jobs", "trigger", "trigger-file", "trigger-timeout", "aux-path", "terse-version", "debug", "inflate-log", "bandwidth-log-dir"}
	programFlag = []string{"minimal", "append-terse", "latency-log", "bandwidth-log", "warnings-fatal", "idle-prof", "append", "no-exec-log"}
	otherwise   = []string{"help", "version", "cmdhelp", "enghelp", "showcmd", "parse-only", "server", "client", "daemonize", "remote-config",
		"crctest", "cpuclock-test", "memcpytest", "merge-blktrace-only", "trigger-remote"}
)

// command reads a command line. Its error is one line without a place, but for
// what is wrong in a job file that the line names.
func (p *parser) command(line string) error {
	words, err := shellWords(line)
	if err != nil {
		return err
	}
	var jobFiles []string
	for i := 1; i < len(words); i++ {
		w := words[i]
		if !strings.HasPrefix(w, "-") || w == "-" {
			jobFiles = append(jobFiles, w)
			continue
		}
		key, value, attached := strings.Cut(strings.TrimPrefix(w[1:], "-"), "=")
		apart := func() error {
			if attached {
				return nil
			}
			if i+1 == len(words) {
				return fmt.Errorf("--%s without its value; legal: --%s=VALUE", cut(key), cut(key))
			}
			i++
			value = words[i]
			return nil
		}
		switch {
		case key == "readonly":
			p.readonly = true
		case slices.Contains(otherwise, key):
			return fmt.Errorf("--%s runs no job; legal: a command line that runs jobs", key)
		case slices.Contains(programFlag, key):
		case slices.Contains(programArg, key):
			if err := apart(); err != nil {
				return err
			}
			if key == "section" {
				p.only = append(p.only, value)
			}
		default:
			o, err := lookup(key)
			if err != nil {
				return err
			}
			if !o.flag {
				if err := apart(); err != nil {
					return err
				}
			}
			// As in fio, --name begins a job, and so does an option before any.
			if o.name == "name" {
				err = p.section(value, "")
			} else {
				if p.state == outside {
					if err := p.section(defaultName, ""); err != nil {
						return err
					}
				}
				err = p.option(key, value, !attached && o.flag, "")
			}
			if err != nil {
				return err
			}
		}
	}
	return p.jobFiles(jobFiles)
}

// defaultName is what a job is called that no --name begins.
const defaultName = "fio"

func (p *parser) jobFiles(names []string) error {
	if len(names) > 64 {
		return errors.New("more than 64 job files; legal: up to as many")
	}
	for _, name := range names {
		text, err := files.Read(name, maxText)
		if err != nil {
			return fmt.Errorf("job file: %w; legal: options begin with --, and a job file is there", reading(name, err))
		}
		p.state, p.global = outside, nil
		if err := p.text(name, string(text), folder(name), 0); err != nil {
			return err
		}
	}
	return nil
}

// shellWords splits a line as a shell does: blanks, quotes, backslashes. Nothing
// is expanded.
func shellWords(line string) ([]string, error) {
	var out []string
	var b strings.Builder
	quote, within := byte(0), false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '\'':
			b.WriteByte(c)
		case c == '\\' && i+1 < len(line):
			i++
			if quote == 0 && line[i] == ':' || quote == '"' && line[i] != '"' && line[i] != '\\' {
				b.WriteByte('\\') // fio's own, as in a list of files
			}
			b.WriteByte(line[i])
			within = true
		case quote != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			quote, within = c, true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if within {
				out = append(out, b.String())
				b.Reset()
			}
			within = false
		default:
			b.WriteByte(c)
			within = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote %c is not closed; legal: another one behind it", quote)
	}
	if within {
		out = append(out, b.String())
	}
	return out, nil
}
