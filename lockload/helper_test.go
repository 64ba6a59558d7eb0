package lockload_test

import "runtime"

func cpus() int { return runtime.GOMAXPROCS(0) }
