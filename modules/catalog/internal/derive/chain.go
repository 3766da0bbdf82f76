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
// Spec: not shown; a predecessor with another file number is a mistake of the filer, because the regulator files an amendment
// under the number of its notice. Such a link is ignored.
func Chains(notices []Link) []int {
	chains := NewSets(len(notices))
	byNumber := make(map[string]int, len(notices))
	byAccession := make(map[string]int, len(notices))
	for i, n := range notices {
		byAccession[n.Accession] = i
	}
	for i, n := range notices {
		if n.Number != "" {
			if first, known := byNumber[n.Number]; known {
				chains.Join(first, i)
			} else {
				byNumber[n.Number] = i
			}
		}
		if k, known := byAccession[n.Previous]; known && (n.Number == "" || notices[k].Number == "" || n.Number == notices[k].Number) {
			chains.Join(k, i)
		}
	}
	return chains.Leaders()
}
