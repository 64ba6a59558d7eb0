package lab

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"hostlock/experiment"
)

// count is a flag that holds a whole number from 1 up; 0 is not given.
type count struct {
	n   int
	min int // 1 where it is 0
	max int
}

var _ pflag.Value = (*count)(nil)

func (c *count) Type() string { return "N" }

func (c *count) String() string {
	if c.n == 0 {
		return ""
	}
	return strconv.Itoa(c.n)
}

func (c *count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if lo := max(c.min, 1); err != nil || n < lo || n > c.max {
		return fmt.Errorf("legal: a whole number, %d to %d", lo, c.max)
	}
	c.n = n
	return nil
}

// seed is a flag that holds any unsigned number.
type seed struct {
	n   uint64
	set bool
}

func (s *seed) Type() string { return "N" }

func (s *seed) String() string {
	if !s.set {
		return ""
	}
	return strconv.FormatUint(s.n, 10)
}

func (s *seed) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("legal: a whole number, 0 or more")
	}
	s.n, s.set = n, true
	return nil
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

// duration is a flag that holds a time, or the word profile where that is
// legal: as long as the workload's file says.
type duration struct {
	d          time.Duration
	profile    bool
	profileToo bool // whether the word is legal
}

func (d *duration) Type() string {
	if d.profileToo {
		return "D|profile"
	}
	return "D"
}

func (d *duration) String() string {
	switch {
	case d.profile:
		return "profile"
	case d.d == 0:
		return ""
	}
	return d.d.String()
}

func (d *duration) Set(text string) error {
	if d.profileToo && text == "profile" {
		*d = duration{profile: true, profileToo: true}
		return nil
	}
	v, err := experiment.ParseDuration(text, true)
	if err != nil {
		if d.profileToo {
			return fmt.Errorf("%w; or profile, for the workload file's own", err)
		}
		return err
	}
	*d = duration{d: v, profileToo: d.profileToo}
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

// assignments takes the values of --set apart.
func assignments(set []string) (map[string]string, error) {
	out := map[string]string{}
	for _, s := range set {
		k, v, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usagef("--set %q; legal: NAME=VALUE", s)
		}
		out[strings.TrimSpace(k)] = strings.TrimSpace(v)
	}
	return out, nil
}
