package spec

import (
	"slices"

	"hostlock/machine/param"
)

// ownDriverName is the driver that a file's [driver] describes: its keys are the
// parameters of this driver, or of the template that every host has, without what
// stands before their dot.
const ownDriverName = "own"

// templateKeys are those of a host's template.
var templateKeys = []string{"can_queue", "cmd_per_lun", "target_can_queue", "sg_tablesize", "max_sectors", "max_segment_size", "max_host_blocked",
	"dma_boundary", "needs_host_lock", "use_clustering", "luns_per_target"}

// driverTable is the file's [driver], where it has one in place of a name.
func (d *document) driverTable() (table, bool) {
	if _, is := d.values["driver"].(map[string]any); !is {
		return table{}, false
	}
	return d.root().tables("driver")[0], true
}

func (d *document) driverName() string {
	if _, own := d.driverTable(); own {
		return ownDriverName
	}
	return d.root().need("driver")
}

// ownDriver is a [driver] as parameters. Which there are, and what values they may
// have, is looked at where all parameters are.
func (d *document) ownDriver() []param.Setting {
	t, own := d.driverTable()
	if !own {
		return nil
	}
	source := t.text("source", "")
	var names []string
	for key := range t.values {
		if key != "source" {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	var out []param.Setting
	for _, key := range names {
		name := ownDriverName + "." + key
		if slices.Contains(templateKeys, key) {
			name = "host." + key
		}
		at := d.place(t.path + key)
		v := param.Setting{Name: name, Source: source, NameAt: at, At: at}
		var ok bool
		if v.Value, ok = valueText(t.values[key]); !ok {
			t.fault(key, "%s: neither text, a number nor a boolean", key)
		}
		out = append(out, v)
	}
	return out
}
