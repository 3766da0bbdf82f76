package index

import (
	"runtime"
	"sync"
)

// processors raises GOMAXPROCS by one while a long computation runs, so that the operating system can schedule searches
// beside it. Otherwise the computation holds one of few processors of the runtime for ten milliseconds at a time, or longer if the
// operating system takes its core meanwhile. With one more, the operating system shares the cores and prefers threads that slept.
// Once GOMAXPROCS is set, the runtime no longer follows a changed limit of the container.
type processors struct {
	set func(n int) int // runtime.GOMAXPROCS

	mu       sync.Mutex
	building int
	usual    int
}

var spare = processors{set: runtime.GOMAXPROCS}

// borrow adds the processor, unless another build has added it; done removes it.
func (p *processors) borrow() (done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.building++; p.building == 1 {
		p.usual = p.set(0)
		p.set(p.usual + 1)
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.building--; p.building == 0 {
			p.set(p.usual)
		}
	}
}
