package lab

import "hostlock/experiment/spec"

// listCosts is every cost table by its name, with this computer's, measured or
// not.
func listCosts() ([]entry, error) {
	var out []entry
	for _, name := range spec.CostTables() {
		if name == spec.ThisCosts {
			out = append(out, entry{Name: name, About: "this computer, as 'lab calibrate --keep' measured it" + thisState()})
			continue
		}
		c, err := spec.OpenCosts(name)
		if err != nil {
			return nil, err
		}
		out = append(out, entry{Name: name, About: c.Title})
	}
	return out, nil
}

func thisState() string {
	if _, err := spec.OpenCosts(spec.ThisCosts); err != nil {
		return "; not there yet"
	}
	return ""
}

// showCosts is a whole cost table, every value with its source, to copy.
func showCosts(name string) ([]byte, error) {
	c, err := spec.OpenCosts(name)
	if err != nil {
		return nil, err
	}
	return c.Text()
}
