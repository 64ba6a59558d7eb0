// Package predict goes from a record of a program's own lock to what that lock
// would give on other cores and under other designs.
//
//	record.Record -> Model -> self-check -> Prediction, with its range
//
// A model is fitted to the lock's holds and its rate alone: what the record has
// beside them (waits, contended share, the slope of a stretched hold) is predicted
// and held against it, before anything else is said. The range of a prediction is
// what the record leaves open, each cause varied by itself in the simulator, and
// the causes taken as independent.
package predict
