package profiles

import (
	"bytes"
	"fmt"

	"github.com/felixge/fgprof"
	"github.com/google/pprof/profile"
)

// WallCapture is a wall-clock profile that is being taken.
type WallCapture struct {
	path string
	info Info
	buf  bytes.Buffer
	stop func() error
}

// StartWall begins a wall-clock profile: every goroutine, running or not, 99
// times a second. Each look stops the world for as long as it takes to read
// all stacks, so it belongs into a run of its own, whose other figures are
// not used. Its sample types are samples/count and time/nanoseconds.
func StartWall(path string, info Info) *WallCapture {
	c := &WallCapture{path: path, info: info}
	c.info.Figures = "real time, all goroutines sampled by fgprof at 99 Hz"
	c.stop = fgprof.Start(&c.buf, fgprof.FormatPprof)
	return c
}

// Stop ends the profile, writes it and returns it.
func (c *WallCapture) Stop() (*Captured, error) {
	if err := c.stop(); err != nil {
		return nil, fmt.Errorf("wall-clock profile: %w", err)
	}
	p, err := profile.ParseData(c.buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("wall-clock profile: %w", err)
	}
	got := &Captured{Path: c.path, Profile: p}
	return got, got.keep(c.info)
}
