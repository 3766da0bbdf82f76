package index

import (
	"runtime"
	"sync"
)

// processors lends one goroutine that computes for seconds a processor of the runtime beyond those that there are. Without,
// such a goroutine keeps one of few from all others for ten milliseconds at a time, and for longer when the operating system
// takes the core away meanwhile; with one more the operating system shares the cores out, and lets those first that slept.
// Once the number has been set, the runtime does not follow a changed limit of the container any more.
type processors struct {
	set func(n int) int // runtime.GOMAXPROCS

	mu       sync.Mutex
	building int
	usual    int
}

var spare = processors{set: runtime.GOMAXPROCS}

// borrow adds the processor, unless another one builds meanwhile; done gives it back.
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
