package ffsb

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hostlock/workload"
)

func TestBuiltinsRun(t *testing.T) {
	for _, info := range workload.Builtins() {
		t.Run(info.Name, func(t *testing.T) {
			w := builtin(t, info.Name)
			require.Equal(t, info.Name, w.Name())
			r := bench{driver: "mptsas", cores: 16, luns: 16}.run(t, w)
			require.NoError(t, r.Err())
			n := r.counts()
			require.Positive(t, n["transactions"], "%v", n)
			t.Log(w.About())
			t.Log(r.Operations(), r.Notes(), w.Warnings())
		})
	}
}
