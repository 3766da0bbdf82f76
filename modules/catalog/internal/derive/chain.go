package derive

// Link is what ties one notice of Form D to others.
type Link struct {
	Accession string // EDGAR's
	Number    string // of its file; may be empty
	Previous  string // the accession of the notice that it amends; may be empty
}

// Chains groups notices, sorted by accession, into chains: those of one file number, and each with the one that it names
// as its predecessor. The result has for each notice the first one of its chain.
//
// Spec: not shown; a predecessor of another file number is a slip of the filer, for the regulator files an amendment under
// the number of its notice: such a link is passed over.
func Chains(notices []Link) []int {
	parent := make([]int, len(notices))
	byNumber := make(map[string]int, len(notices))
	byAccession := make(map[string]int, len(notices))
	for i, n := range notices {
		parent[i], byAccession[n.Accession] = i, i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	join := func(i, k int) {
		a, b := find(i), find(k)
		parent[max(a, b)] = min(a, b) // the smallest leads, whatever the order
	}
	for i, n := range notices {
		if n.Number != "" {
			if first, known := byNumber[n.Number]; known {
				join(first, i)
			} else {
				byNumber[n.Number] = i
			}
		}
		if k, known := byAccession[n.Previous]; known && (n.Number == "" || notices[k].Number == "" || n.Number == notices[k].Number) {
			join(k, i)
		}
	}
	out := make([]int, len(notices))
	for i := range notices {
		out[i] = find(i)
	}
	return out
}
