package results

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Entry is one member of an [Ordered] object.
type Entry[V any] struct {
	Name  string
	Value V
}

// Ordered is a JSON object whose members keep the order in which they were
// added: a budget reads from work to idle and not from a to z, and no map
// order reaches a result.
type Ordered[V any] []Entry[V]

// The objects of a result.
type (
	// Shares are percentages by name.
	Shares = Ordered[float64]
	// Counts are counted things by name.
	Counts = Ordered[int64]
	// Paths are files by what they hold.
	Paths = Ordered[string]
)

// Get is the value under a name, and whether there is one.
func (o Ordered[V]) Get(name string) (V, bool) {
	for _, e := range o {
		if e.Name == name {
			return e.Value, true
		}
	}
	var none V
	return none, false
}

// Set puts a value under a name: in place where the name is there already,
// else at the end.
func (o *Ordered[V]) Set(name string, v V) {
	for i := range *o {
		if (*o)[i].Name == name {
			(*o)[i].Value = v
			return
		}
	}
	*o = append(*o, Entry[V]{name, v})
}

// Names lists the members in order.
func (o Ordered[V]) Names() []string {
	names := make([]string, len(o))
	for i, e := range o {
		names[i] = e.Name
	}
	return names
}

// MarshalJSON writes one object in the order of o.
func (o Ordered[V]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(e.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(e.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads an object and keeps its order.
func (o *Ordered[V]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	t, err := dec.Token()
	if err != nil {
		return err
	}
	*o = nil
	if t == nil {
		return nil
	}
	if t != json.Delim('{') {
		return fmt.Errorf("want an object, have %v", t)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var v V
		if err := dec.Decode(&v); err != nil {
			return err
		}
		*o = append(*o, Entry[V]{name.(string), v})
	}
	return nil
}
