package password

// Occupy takes turns as computations would, until the function that it gives is called.
func Occupy(h *Hasher, turns int) (free func()) {
	for range turns {
		h.turns <- struct{}{}
	}
	return func() {
		for range turns {
			<-h.turns
		}
	}
}
