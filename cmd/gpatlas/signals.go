package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// stops separates an orderly stop from a forced one: the first Ctrl-C (or SIGTERM) ends the work in order, the second by force,
// and the third ends the process at once.
type stops struct {
	polite, force context.Context //nolint:containedctx // the struct exists to carry these two contexts
	ask           func()          // requests the orderly stop
}

func (s *stops) asked() bool { return s.polite.Err() != nil }

// sameRequest is the time after a signal in which further ones count as the same request: a terminal, a shell and a process
// manager each pass Ctrl-C or SIGTERM on.
const sameRequest = time.Second

// signalCounter counts separate requests to stop.
type signalCounter struct {
	first time.Time
	count int
}

// add counts a signal and returns the number of requests so far.
func (i *signalCounter) add(now time.Time) int {
	switch {
	case i.count == 0:
		i.first = now
		i.count = 1
	case now.Sub(i.first) >= sameRequest:
		i.count++
	}
	return i.count
}

// catchSignals starts listening. The context it returns ends with the first signal; release stops listening.
//
// SIGPIPE is caught too. Otherwise a reader that closes the pipe ("gpatlas dev | head") would kill the process and leave its servers
// behind.
// It is also sent for connections, so it is not evaluated: see closable.
func (p *program) catchSignals() (context.Context, func()) {
	polite, askPolitely := context.WithCancel(context.Background())
	force, insist := context.WithCancel(context.Background())
	p.stops = &stops{polite: polite, force: force, ask: askPolitely}
	signals, pipes := make(chan os.Signal, 3), make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	signal.Notify(pipes, syscall.SIGPIPE)
	done := make(chan struct{})
	go func() {
		for asked := (signalCounter{}); ; {
			select {
			case <-done:
				return
			case <-signals:
			}
			before := asked.count
			count := asked.add(time.Now())
			if count == before {
				continue
			}
			switch count {
			case 1:
				askPolitely()
			case 2:
				_, _ = fmt.Fprintln(p.stderr, "gpatlas: stopping by force; committed data are safe")
				insist()
				signal.Reset(os.Interrupt, syscall.SIGTERM) // a third one ends the process
			}
		}
	}()
	var once sync.Once
	return polite, func() {
		once.Do(func() {
			signal.Stop(signals)
			signal.Stop(pipes)
			close(done)
			askPolitely()
			insist()
		})
	}
}

// closable is an output whose reader may close it: the work is then asked to stop, and further output is dropped.
type closable struct {
	io.Writer
	gone func()
}

func (c *closable) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	if errors.Is(err, syscall.EPIPE) {
		c.gone()
	}
	return n, err
}

// Fd is the descriptor of the file behind the output; without one it is none.
func (c *closable) Fd() uintptr {
	if f, ok := c.Writer.(*os.File); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// File is the file behind the output; nil = none.
func (c *closable) File() *os.File {
	f, _ := c.Writer.(*os.File)
	return f
}

// readerGone reports whether an error means that the reader of an output has gone.
func readerGone(err error) bool { return errors.Is(err, syscall.EPIPE) }
