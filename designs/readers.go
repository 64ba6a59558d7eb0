package designs

import "hostlock/locks"

var readersInfo = Info{
	Name: "readers", About: "one RWMutex: reads share it", Readers: true,
	New: func(e Env) Design {
		e.Kind, _ = locks.Lookup("rwmutex")
		return &one{g: newGuarded(&e, 0, e.Keys)}
	},
}
