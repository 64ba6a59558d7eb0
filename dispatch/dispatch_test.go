package dispatch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"hostlock/dispatch"
	"hostlock/machine/param"
)

func TestLookup(t *testing.T) {
	for _, name := range []string{"host-lock", "host_lock", "Host-Lock", " unlocked_qcmds "} {
		_, err := dispatch.LookupStrategy(name)
		require.NoError(t, err, name)
	}
	_, err := dispatch.LookupStrategy("mutex")
	require.ErrorContains(t, err, `unknown strategy "mutex"; legal: host-lock, unlocked-qcmds, per-queue, ring`)
	_, err = dispatch.LookupDriver("aha1542")
	require.ErrorContains(t, err, `unknown driver "aha1542"; legal: lpfc, megasas, mptsas, `)
	require.Panics(t, func() {
		dispatch.RegisterStrategy(dispatch.StrategyInfo{Name: "Host_Lock", New: func(*dispatch.Host) (dispatch.Strategy, error) { return nil, nil }})
	})
}

func TestEveryParameterSaysWhereItComesFrom(t *testing.T) {
	check := func(specs []param.Spec) {
		for _, s := range specs {
			require.NotEmpty(t, s.About, s.Name)
			require.NotEmpty(t, s.Source, s.Name)
		}
		param.New().Declare(specs...)
	}
	check(dispatch.Params())
	for _, d := range dispatch.Drivers() {
		check(d.Params)
		for _, s := range d.Params {
			require.True(t, strings.HasPrefix(s.Name, d.Name+"."), s.Name)
		}
	}
}

func TestKernelValues(t *testing.T) {
	require.EqualValues(t, 0x1055, dispatch.HostBusy)
	require.EqualValues(t, 0x1056, dispatch.DeviceBusy)
	require.EqualValues(t, 0x1057, dispatch.EHRetry)
	require.EqualValues(t, 0x1058, dispatch.TargetBusy)
}

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		state             dispatch.DeviceState
		prepared, preempt bool
		want              dispatch.Verdict
	}{
		{dispatch.DeviceRunning, false, false, dispatch.Pass},
		{dispatch.DeviceOffline, false, true, dispatch.Kill},
		{dispatch.DeviceOffline, true, false, dispatch.Kill},
		{dispatch.DeviceQuiesce, false, false, dispatch.Defer},
		{dispatch.DeviceQuiesce, false, true, dispatch.Pass},
		{dispatch.DeviceQuiesce, true, false, dispatch.Pass},
		{dispatch.DeviceBlock, false, false, dispatch.Defer},
		{dispatch.DeviceCancel, false, false, dispatch.Kill},
		{dispatch.DeviceCancel, false, true, dispatch.Pass},
	} {
		require.Equal(t, c.want, c.state.Verdict(c.prepared, c.preempt), "%+v", c)
	}
}

// TestList compares the intrusive list with slices.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := make([]dispatch.Node, 6)
		var a, b dispatch.Node
		a.InitHead()
		b.InitHead()
		var inA, inB []int
		for i := range nodes {
			nodes[i].Value = i
		}
		drop := func(s []int, i int) []int {
			for k, v := range s {
				if v == i {
					return append(s[:k:k], s[k+1:]...)
				}
			}
			return s
		}
		read := func(n *dispatch.Node) (out []int) {
			for !n.Empty() {
				e := n.First()
				e.Remove()
				out = append(out, e.Value.(int))
			}
			for _, i := range out {
				n.PushBack(&nodes[i])
			}
			return out
		}
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				i := rapid.IntRange(0, len(nodes)-1).Draw(t, "i")
				if !nodes[i].Linked() {
					a.PushBack(&nodes[i])
					inA = append(inA, i)
				}
			},
			"remove": func(t *rapid.T) {
				i := rapid.IntRange(0, len(nodes)-1).Draw(t, "i")
				nodes[i].Remove()
				inA, inB = drop(inA, i), drop(inB, i)
			},
			"splice": func(t *rapid.T) {
				b.SpliceFront(&a)
				inA, inB = nil, append(append([]int(nil), inA...), inB...)
			},
			"": func(t *rapid.T) {
				require.True(t, slices.Equal(inA, read(&a)), "%v", inA)
				require.True(t, slices.Equal(inB, read(&b)), "%v", inB)
			},
		})
	})
}
