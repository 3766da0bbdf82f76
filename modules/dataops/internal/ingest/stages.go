package ingest

import (
	"sync"
	"time"
)

// Stage is work that is not about one document: deriving, reading people, waiting.
type Stage struct {
	Name        string  `json:"name"`
	Seconds     float64 `json:"seconds"`
	Interrupted bool    `json:"interrupted,omitempty"` // it was stopped before its end
}

// stages are those of a batch.
type stages struct {
	mu    sync.Mutex
	over  []Stage
	open  int
	since time.Time     // when the first of the open ones began
	took  time.Duration // of those that are over; what two of them share counts once
}

func (s *stages) begin(at time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open++; s.open == 1 {
		s.since = at
	}
	return at
}

func (s *stages) end(name string, began, at time.Time, interrupted bool) Stage {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open--; s.open == 0 {
		s.took += at.Sub(s.since)
	}
	is := Stage{Name: name, Seconds: at.Sub(began).Seconds(), Interrupted: interrupted}
	s.over = append(s.over, is)
	return is
}

// total is the time that stages took up to now.
func (s *stages) total() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.took
}
