package results

import (
	"bytes"
	"encoding/csv"
	"hostlock/machine/param"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallSweep has two strategies at two settings and two seeds; the point of
// ring at b=2 with seed 2 is missing.
func smallSweep() *Sweep {
	s := &Sweep{Missing: 1, Partial: true, Definition: SweepDef{
		Experiment: "toy", Title: "a toy", Workload: "w", Driver: "null", Machine: "sim", Strategies: []string{"host-lock", "ring"},
		Cores: []int{4}, Weak: true, Set: []param.Setting{{Name: "hbas", Value: "1"}}, Axes: []SweepAxis{{"b", []string{"1", "2"}}}, Seeds: []uint64{1, 2},
	}}
	for _, b := range []string{"1", "2"} {
		for i, strategy := range s.Definition.Strategies {
			for seed := range uint64(2) {
				if b == "2" && i == 1 && seed == 1 {
					continue
				}
				p := SweepPoint{Key: strategy + b, Strategy: strategy, Cores: 4, HBAs: 1, Threads: 8, Set: []param.Setting{{Name: "b", Value: b}}, Seed: seed + 1,
					Duration: 2, Warmup: 0.5, IOPS: 1000 * float64(1+i) * (1 + float64(seed)/10*float64(i)), ThroughputMB: 4.096, Busy: 50, LatencyP50: 800, LatencyP99: 1234.5678}
				if i == 0 {
					p.HostLock, p.Contention = 23.70001, 24
					p.Theory = &SweepTheory{Lock: "ticket", Cores: 4, Section: 3.25, Think: 221, Refill: 50, Contention: 14.3, IOPS: 1100}
				}
				s.Points = append(s.Points, p)
			}
		}
	}
	s.SetGains()
	s.WithTheory = true
	return s
}

func sweepText(t *testing.T, s *Sweep, format string) string {
	t.Helper()
	f, err := SweepFormat(format)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, f.Write(&b, s))
	return b.String()
}

func TestSweepTable(t *testing.T) {
	assert.Equal(t, `toy: a toy
  host-lock has 1000 IOPS from b=1 to b=2 (simulated).
  ring has its peak at b=1 with 2100 IOPS, and falls by 5 % to 2000 at b=2 (simulated).
  Fastest by more than 1 %: ring from b=1 to b=2.
  driver null, workload w, machine sim, the load grows with the cores, HBAs stay, hbas=1
  figures are simulated, means over 2 seeds
  PARTIAL: 1 of 8 points missing

  strategy   cores  b  IOPS  MB/s  host-lock share  contention     busy  p99, us      gain  ± over seeds  theory: IOPS    share
  ------------------------------------------------------------------------------------------------------------------------------
  host-lock      4  1  1000  4.10          23.70 %     24.00 %  50.00 %     1235   +0.00 %          0.00          1100  14.30 %
  ring           4  1  2100  4.10           0.00 %      0.00 %  50.00 %     1235  +110.0 %         14.14
  host-lock      4  2  1000  4.10          23.70 %     24.00 %  50.00 %     1235   +0.00 %          0.00          1100  14.30 %
  ring           4  2  2000  4.10           0.00 %      0.00 %  50.00 %     1235  +100.0 %          0.00
  shares are of busy time; busy is of cores x time; gain is of IOPS against host-lock, all else equal
  theory: the published chain of the lock (Boyd-Wickizer et al., OLS 2012), from the experiment's parameters alone; `+TheoryLimits+"\n", sweepText(t, smallSweep(), "text"))
	plain := smallSweep()
	plain.WithTheory = false
	assert.NotContains(t, sweepText(t, plain, "text"), "theory")
	assert.NotContains(t, sweepText(t, plain, "csv"), "theory")
	assert.Contains(t, sweepText(t, smallSweep(), "markdown"), "| ring | 4 | 1 | 2100 | 4.10 | 0.00 % |")
}

func TestSweepCSV(t *testing.T) {
	text := sweepText(t, smallSweep(), "csv")
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 8)
	assert.Equal(t, "strategy,cores,hbas,threads,b,seed,duration_s,warmup_s,iops,throughput_mb_s,busy_pct,host_lock_pct,contention_pct,latency_p50_us,latency_p99_us,gain_pct,theory_iops,theory_host_lock_pct", strings.Join(rows[0], ","))
	assert.Equal(t, "host-lock,4,1,8,1,1,2,0.5,1000,4.096,50,23.7,24,800,1234.568,0,1100,14.3", strings.Join(rows[1], ","))
	assert.Equal(t, "ring,4,1,8,1,2,2,0.5,2200,4.096,50,0,0,800,1234.568,120,,", strings.Join(rows[4], ","))
}

// What is written is read again as it was written.
func TestSweepJSONRoundTrip(t *testing.T) {
	text := sweepText(t, smallSweep(), "json")
	s, err := ReadSweep([]byte(text))
	require.NoError(t, err)
	s.SetGains()
	assert.Equal(t, text, sweepText(t, s, "json"))
	assert.Contains(t, text, `"partial": true`)
	assert.Contains(t, sweepText(t, &Sweep{}, "json"), `"points": []`)
}

func TestWhatIsNoSweep(t *testing.T) {
	for text, want := range map[string]string{
		"":               "is no JSON object",
		"[]":             "is no JSON object: line 1: a JSON array",
		"\n{]":           "is no JSON object: line 2: invalid character",
		`{"schema":"x"}`: "is no JSON object: line 1: schema is a JSON string",
		`{"schema":1,"sweep":{"strategies":["a"],"cores":[0],"seeds":[1]}}`:                                       "is a sweep over 0 cores; legal: ",
		`{"schema":1,"sweep":{"strategies":["a"],"cores":[1]}}`:                                                   "without cores or seeds; legal: ",
		`{"schema":1,"sweep":{"strategies":["a"],"cores":[1],"seeds":[1]},"points":[{"iops":-1}]}`:                "has -1 among the figures of its point 1; legal: ",
		`{"schema":1,"sweep":{"strategies":["a"],"cores":[1],"seeds":[1]},"points":[{}]}`:                         "has no iops among the figures of its point 1; legal: ",
		`{"schema":1,"sweep":{"strategies":["a"],"cores":[1],"seeds":[1]},"points":[{"iops":1,"busy_pct":1000}]}`: "has a share of 1000 % among the figures of its point 1; legal: ",
		`{"schema":1}`:                  "is no sweep; legal: ",
		`{"schema":9,"sweep":{}}`:       "is a sweep of schema 9; legal: 1",
		`{"schema":1,"sweep":{}}`:       "without strategies",
		`{"schema":1,"sweep":{"a":1},"`: "is no JSON object",
	} {
		_, err := ReadSweep([]byte(text))
		assert.ErrorContains(t, err, want, text)
	}
	_, err := SweepFormat("yaml")
	assert.EqualError(t, err, `unknown format "yaml"; legal: text, json, csv, markdown`)
}

func TestNoGainWithoutTheFirstStrategy(t *testing.T) {
	s := smallSweep()
	s.Points = s.Points[2:4]
	s.SetGains()
	for _, p := range s.Points {
		assert.Nil(t, p.Gain)
	}
	assert.Contains(t, sweepText(t, s, "text"), "1235     -          0.00")
}
