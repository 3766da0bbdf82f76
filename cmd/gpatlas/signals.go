package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// stops tells a polite request to stop from an impatient one: the first Ctrl-C (or SIGTERM) ends what runs in order,
// the second by force, a third ends the process on the spot.
type stops struct {
	polite, force context.Context //nolint:containedctx // it is about these two
}

func (s *stops) asked() bool { return s.polite.Err() != nil }

// catchSignals starts listening. The context it returns ends with the first signal; release stops listening.
func (p *program) catchSignals() (context.Context, func()) {
	polite, askPolitely := context.WithCancel(context.Background())
	force, insist := context.WithCancel(context.Background())
	p.stops = &stops{polite: polite, force: force}
	signals := make(chan os.Signal, 3)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for count := 0; ; {
			select {
			case <-done:
				return
			case <-signals:
			}
			switch count++; count {
			case 1:
				askPolitely()
			case 2:
				_, _ = fmt.Fprintln(p.stderr, "gpatlas: stopping by force; what was committed is safe")
				insist()
				signal.Reset() // a third one ends the process
			}
		}
	}()
	var once sync.Once
	return polite, func() {
		once.Do(func() {
			signal.Stop(signals)
			close(done)
			askPolitely()
			insist()
		})
	}
}
