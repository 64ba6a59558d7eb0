package lab

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hostlock/experiment"
	"hostlock/experiment/spec"
	"hostlock/machine/param"
)

// count is a flag that holds a whole number from 1 up; 0 is not given.
type count[T int | int64] struct {
	to       *T
	min, max T // 1 where min is 0
}

var _ pflag.Value = count[int]{}

func (c count[T]) Type() string { return "N" }

func (c count[T]) String() string {
	if c.to == nil || *c.to == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*c.to), 10)
}

func (c count[T]) Set(text string) error {
	n, err := strconv.Atoi(text)
	if lo := max(c.min, 1); err != nil || T(n) < lo || T(n) > c.max {
		return fmt.Errorf("legal: a whole number, %d to %d", lo, c.max)
	}
	*c.to = T(n)
	return nil
}

// seed is a flag that holds any unsigned number.
type seed struct{ to *experiment.Seed }

func (s seed) Type() string { return "N" }

func (s seed) String() string {
	if s.to == nil || !s.to.Given {
		return ""
	}
	return strconv.FormatUint(s.to.N, 10)
}

func (s seed) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("legal: a whole number, 0 or more")
	}
	*s.to = experiment.SeedOf(n)
	return nil
}

// duration is a flag that holds a time, or the word profile where that is
// legal: as long as the workload's file says.
type duration struct {
	to      *time.Duration
	profile *bool // nil where the word is not legal
}

func (d duration) Type() string {
	if d.profile != nil {
		return "D|profile"
	}
	return "D"
}

func (d duration) String() string {
	switch {
	case d.profile != nil && *d.profile:
		return "profile"
	case d.to == nil || *d.to == 0:
		return ""
	}
	return d.to.String()
}

func (d duration) Set(text string) error {
	if d.profile != nil {
		if *d.profile = text == "profile"; *d.profile {
			*d.to = 0
			return nil
		}
	}
	v, err := spec.ParseDuration(text, true)
	switch {
	case err == nil:
		*d.to = v
	case d.profile != nil:
		err = fmt.Errorf("%w; or profile, for the workload file's own", err)
	}
	return err
}

// settings is the flag --set: "name=value", as often as it is given.
type settings struct{ to *[]param.Setting }

func (s settings) Type() string   { return "NAME=VALUE" }
func (s settings) String() string { return "" }

func (s settings) Set(text string) error {
	v, err := param.ParseSetting(text)
	if err == nil {
		*s.to = append(*s.to, v)
	}
	return err
}

// shares is a flag that holds percentages of busy time that a load can be
// derived for.
type shares []float64

func (s *shares) Type() string { return "A,B" }

func (s *shares) String() string {
	text := make([]string, len(*s))
	for i, v := range *s {
		text[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strings.Join(text, ",")
}

func (s *shares) Set(text string) error {
	var out []float64
	for part := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || !(v > 0 && v <= 45) {
			return errors.New("legal: numbers with commas, each more than 0, up to 45")
		}
		out = append(out, v)
	}
	*s = out
	return nil
}

// word is a text flag with a name of its own in the help.
type word struct {
	text *string
	name string
}

func (w word) Type() string   { return w.name }
func (w word) String() string { return *w.text }

// Set refuses the empty text: it is an unset variable of a shell more often
// than a wish for the default.
func (w word) Set(t string) error {
	if t == "" {
		return fmt.Errorf("is empty; legal: %s", w.name)
	}
	*w.text = t
	return nil
}

// choice is a flag that takes one of a few words.
type choice struct {
	to    *string
	legal []string
}

func (c choice) Type() string   { return "NAME" }
func (c choice) String() string { return *c.to }

func (c choice) Set(text string) error {
	if !slices.Contains(c.legal, text) {
		return fmt.Errorf("legal: %s", legal(c.legal))
	}
	*c.to = text
	return nil
}

// outFlags are --format, whose words are a few and the first of them the
// default, and --output.
func outFlags(cmd *cobra.Command, format, output *string, words ...string) {
	*format = words[0]
	grouped(cmd, "What comes out:", func(fs *pflag.FlagSet) {
		fs.Var(choice{format, words}, "format", strings.Join(words, " or "))
		if output != nil {
			fs.Var(word{output, "FILE"}, "output", "write there, whole or not at all; to stdout without it")
		}
	})
	complete(cmd, "format", fixed(words...))
}
