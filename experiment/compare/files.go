package compare

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"hostlock/files"
	"hostlock/results"
)

// maxFile bounds a file of results, in bytes: thousands of runs.
const maxFile = 256 << 20

// readRuns reads one or several results of `lab run --format json`, one after the
// other or in an array.
func readRuns(text []byte) ([]*results.Result, error) {
	var runs []*results.Result
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var raw json.RawMessage
		err := d.Decode(&raw)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("is no JSON: %s", files.PlainJSON(text, err))
		}
		list := []*results.Result{new(results.Result)}
		var to any = list[0]
		if raw[0] == '[' {
			to = &list
		}
		if err := json.Unmarshal(raw, to); err != nil {
			return nil, fmt.Errorf("holds no result: %s", files.PlainJSON(raw, err))
		}
		runs = append(runs, list...)
	}
	if len(runs) == 0 {
		return nil, errors.New("holds no result")
	}
	for _, r := range runs {
		switch {
		case r == nil || r.Schema == 0 || r.Experiment.Strategy == "":
			return nil, errors.New("holds no result of a run")
		case r.Schema != results.Schema:
			return nil, fmt.Errorf("holds a result of schema %d; this program reads %d", r.Schema, results.Schema)
		case r.Partial:
			return nil, errors.New("holds a result that is partial: a part of a window is no figure to compare")
		}
		r.Experiment.Name = results.ExperimentName(r.Experiment.Name)
	}
	return runs, nil
}
