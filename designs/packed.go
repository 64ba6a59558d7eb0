package designs

import (
	"hostlock/locks"
	"hostlock/machine"
)

// packedWords is how many 8-byte locks share a line of 64 bytes.
const packedWords = 8

var packedInfo = Info{
	Name: "packed-shards", About: "16 locks as shards has, test-and-set, eight to a line",
	Gives: "nothing may need two parts at once",
	New: func(e Env) Design {
		d := newShards(e)
		var line *machine.Line
		for i, g := range d.parts {
			if i%packedWords == 0 {
				line = machine.NewLine(Class)
			}
			g.lock = locks.NewTASOn(line)
		}
		return d
	},
}
