package files

import (
	"os"
	"sync"
)

// pending are the temporary files of writes that are under way.
type pending struct {
	mu    sync.Mutex
	names map[string]bool
}

var unfinished = pending{names: map[string]bool{}}

func (p *pending) note(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names[name] = true
}

func (p *pending) forget(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.names, name)
}

// RemoveUnfinished takes away what writes that are under way have so far. It
// is for a process that ends at once.
func RemoveUnfinished() {
	unfinished.mu.Lock()
	defer unfinished.mu.Unlock()
	for name := range unfinished.names {
		os.Remove(name)
	}
}
