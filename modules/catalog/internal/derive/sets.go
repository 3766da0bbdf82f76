package derive

// Sets are disjoint sets of numbers, each led by its smallest.
type Sets []int

// NewSets makes a set of each number below n.
func NewSets(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s Sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Join makes one set of those of two numbers.
func (s Sets) Join(i, k int) {
	a, b := s.find(i), s.find(k)
	s[max(a, b)] = min(a, b)
}

// Leaders are the smallest of each number's set.
func (s Sets) Leaders() []int {
	for i := range s {
		s[i] = s.find(i)
	}
	return s
}
