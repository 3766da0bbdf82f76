package changes

// Reads is how many queries the hub made.
func (h *Hub) Reads() int { h.mu.Lock(); defer h.mu.Unlock(); return h.reads }

// Begin and End are the numbers between which the ring has all events.
func (h *Hub) Begin() int64 { h.mu.Lock(); defer h.mu.Unlock(); return h.begin }

// End is the last number that was read.
func (h *Hub) End() int64 { h.mu.Lock(); defer h.mu.Unlock(); return h.end }
