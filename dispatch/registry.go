package dispatch

import (
	"fmt"
	"strings"
	"sync"

	"hostlock/closest"
)

// registry holds what packages register from init. The order is theirs, which
// Go fixes by import, so that it can show in output.
type registry[T any] struct {
	mu    sync.Mutex
	names []string
	items []T
	index map[string]int
}

func canonical(name string) string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "_", "-")
}

func (r *registry[T]) add(what, name string, aliases []string, item T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.index == nil {
		r.index = map[string]int{}
	}
	for _, n := range append([]string{name}, aliases...) {
		if _, dup := r.index[canonical(n)]; dup || n == "" {
			panic(fmt.Sprintf("dispatch: %s %q registered twice", what, n))
		}
		r.index[canonical(n)] = len(r.items)
	}
	r.names = append(r.names, name)
	r.items = append(r.items, item)
}

func (r *registry[T]) list() []T {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]T(nil), r.items...)
}

func (r *registry[T]) find(what, name string) (T, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i, ok := r.index[canonical(name)]; ok {
		return r.items[i], nil
	}
	var none T
	return none, fmt.Errorf("unknown %s %q; legal: %s%s", what, name, strings.Join(r.names, ", "), closest.Hint(name, r.names))
}
