package read

import (
	"encoding/binary"
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hostlock/record/rt"
)

// recording is a file with a header and nothing else.
func recording() []byte {
	text := make([]byte, rt.FileSize(1))
	h := (*rt.Header)(unsafe.Pointer(&text[0]))
	h.Magic, h.Size, h.Slots = rt.Magic, uint64(len(text)), 1
	return text
}

func TestParseRefusesWhatIsNoRecording(t *testing.T) {
	_, err := Parse("whole", recording())
	require.NoError(t, err)
	set := func(offset uintptr, v uint64) []byte {
		text := recording()
		binary.LittleEndian.PutUint64(text[offset:], v)
		return text
	}
	var h rt.Header
	for name, text := range map[string][]byte{
		"empty": nil, "short": recording()[:100], "cut": recording()[:rt.FileSize(1)-1],
		"magic": set(unsafe.Offsetof(h.Magic), 1), "slots": set(unsafe.Offsetof(h.Slots), 2),
		"none": set(unsafe.Offsetof(h.Slots), 0), "size": set(unsafe.Offsetof(h.Size), 1),
		"sites": set(unsafe.Offsetof(h.SitesUsed), rt.Sites+1), "text": set(unsafe.Offsetof(h.TextUsed), rt.TextSize+1),
	} {
		_, err := Parse(name, text)
		assert.ErrorAs(t, err, new(*FormatError), name)
	}
	_, err = File("absent")
	assert.ErrorIs(t, err, os.ErrNotExist)
}

// Whatever bytes the tables hold, the reader comes to an end.
func FuzzParse(f *testing.F) {
	f.Add(uint64(1), uint64(10), []byte("main.f\x00/a.go\x001\x00"), uint32(0), uint32(16))
	f.Fuzz(func(t *testing.T, sites, used uint64, frames []byte, offset, length uint32) {
		text := recording()
		h := (*rt.Header)(unsafe.Pointer(&text[0]))
		h.SitesUsed, h.TextUsed = sites, used
		copy(text[rt.TextAt:rt.TextAt+rt.TextSize], frames)
		s := (*rt.Site)(unsafe.Pointer(&text[rt.SitesAt]))
		s.Text, s.Length = offset, length
		if p, err := Parse("fuzzed", text); err == nil && len(p.Sites) != int(sites) {
			t.Fatalf("%d sites of %d", len(p.Sites), sites)
		}
	})
}
