// Command io waits for a pipe inside the hold.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"time"

	"hostlock.example/record/truth"
)

var (
	mu   sync.Mutex
	held truth.Held
)

func guarded(ask, answer *os.File) {
	mu.Lock()
	defer mu.Unlock()
	held.Time(func() {
		var b [1]byte
		if _, err := ask.Write(b[:]); err != nil {
			panic(err)
		}
		if _, err := answer.Read(b[:]); err != nil {
			panic(err)
		}
	})
}

func main() {
	serverIn, ask, err := os.Pipe()
	answer, serverOut, err2 := os.Pipe()
	if err != nil || err2 != nil {
		fmt.Fprintln(os.Stderr, err, err2)
		os.Exit(1)
	}
	go func() {
		var b [1]byte
		for {
			if _, err := serverIn.Read(b[:]); err != nil {
				return
			}
			time.Sleep(200 * time.Microsecond)
			if _, err := serverOut.Write(b[:]); err != nil {
				return
			}
		}
	}()
	elapsed := truth.Run(2, func(_ int, _ *rand.Rand) {
		guarded(ask, answer)
		time.Sleep(100 * time.Microsecond)
	})
	truth.Print("main.guarded", "holders are parked", elapsed, held)
}
