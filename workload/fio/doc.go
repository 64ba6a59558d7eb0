// Package fio is fio's job files and command lines as a workload: what a job
// asks of the block layer, by fio's own rules, with engines as what they mean
// for the path (how many requests one thread keeps under way, who waits for
// what). One table, [Options], says of every option what it does here: it acts,
// it changes nothing on the path, or it is refused, with the reason.
//
// A job clone is one thread whatever its iodepth: what it has under way comes
// back through a [block.Ring], as an aio context's ring does.
package fio
