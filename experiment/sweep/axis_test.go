package sweep

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestExpand(t *testing.T) {
	for text, want := range map[string]string{
		"1":                              "1",
		" 1 , 2 ":                        "1 2",
		"tas,ticket":                     "tas ticket",
		"1..256":                         "1 2 4 8 16 32 64 128 256",
		"1..48":                          "1 2 4 8 16 32 48",
		"3..4":                           "3 4",
		"1,5..9+2,64":                    "1 5 7 9 64",
		"1..6+2":                         "1 3 5 6",
		"0.5us..12us":                    "0.5us 1us 2us 4us 8us 12us",
		"250us..2ms":                     "250us 500us 1ms 2ms",
		"64KiB..1MiB":                    "64KiB 128KiB 256KiB 512KiB 1MiB",
		"512k..2MiB":                     "512k 1MiB 2MiB",
		"0.5us..0.005ms":                 "0.5us 1us 2us 4us 0.005ms",
		"256k..1m":                       "256k 512k 1m",
		"0.5..4us":                       "0.5us 1us 2us 4us",
		"0..0.3+0.1":                     "0 0.1 0.2 0.3",
		"1us..3us+1us":                   "1us 2us 3us",
		"1KiB..4KiB":                     "1KiB 2KiB 4KiB",
		"1..1e1":                         "1 2 4 8 10",
		"1e-3us..4e-3us":                 "0.001us 0.002us 0.004us",
		"1000000000000..1000000000002+1": "1000000000000 1000000000001 1000000000002",
	} {
		got, err := Expand(text, false)
		require.NoError(t, err, text)
		assert.Equal(t, want, strings.Join(got, " "), text)
	}
	got, err := Expand("1..4", true)
	require.NoError(t, err)
	assert.Equal(t, "1 2 3 4", strings.Join(got, " "))
}

func TestExpandRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":             "a value is missing",
		"1,,2":         "a value is missing",
		"1,2,1":        "1 is there twice",
		"1..4,2":       "2 is there twice",
		"4..1":         "ends before it begins",
		"4..4":         "ends before it begins",
		"a..b":         "not two numbers",
		"1..":          "not two numbers",
		"0..8":         "nothing doubles from 0",
		"-1..8":        "nothing doubles from -1",
		"1us..2k":      "two units, us and k",
		"2ms..1us":     "ends before it begins",
		"0us..1ms":     "nothing doubles from 0us",
		"1us..1ms+1us": "steps between two units, us and ms",
		"1us..2":       "two units, us and none",
		"1..9+0":       `step "0" is no number above 0`,
		"1..9+x":       `step "x" is no number above 0`,
		"1..9+1us":     `step "1us" is no number above 0`,
		"1..1000000+1": "more than 10000 values",
		"NaN..9":       "not two numbers",
		"1..2..3":      "",
	} {
		_, err := Expand(text, false)
		require.Error(t, err, text)
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "legal: ")
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestExpandNeverHangs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9.,+a-z -]{0,16}`).Draw(t, "text")
		values, err := Expand(text, rapid.Bool().Draw(t, "byOne"))
		if err == nil && len(values) == 0 {
			t.Fatal("nothing")
		}
	})
}
