package index

// Forget drops the remembered aggregates, so that a benchmark pays for each of them.
func (s *Snapshot) Forget() {
	s.answers.mu.Lock()
	defer s.answers.mu.Unlock()
	s.answers.known = nil
}
