package catalogapi

// Steps returns the states after filings, each filing once. A row of a roster, a feed or a list of funds is evidence of a
// filing of its day: if there is a better source for that day, the state after the row is no step of its own.
//
// Spec: not shown; what such evidence adds to the filing is counted as the filing's, so that nothing is lost. The list of
// amendments leaves out the same rows.
func Steps(states []AdviserState) []AdviserState {
	kept := make([]AdviserState, 0, len(states))
	for i := 0; i < len(states); {
		end, best := i, 0
		for ; end < len(states) && states[end].Filing.FiledOn.Equal(states[i].Filing.FiledOn); end++ {
			best = max(best, weight(states[end].Filing.Source))
		}
		first := len(kept)
		for _, s := range states[i:end] {
			switch w := weight(s.Filing.Source); {
			case w == withdrawalWeight || w == best:
				kept = append(kept, s)
			case len(kept) > first:
				s.Filing = kept[len(kept)-1].Filing
				kept[len(kept)-1] = s
			}
		}
		i = end
	}
	return kept
}

// withdrawalWeight is the weight of a Form ADV-W, which is a filing besides all others.
const withdrawalWeight = -1

// weight orders the sources: the heaviest source of a day represents the filing.
func weight(s Source) int {
	switch s {
	case SourceADVW:
		return withdrawalWeight
	case SourceFundList:
		return 1
	case SourceRoster:
		return 2
	case SourceFeed:
		return 3
	case SourceADVArchive, SourceFormD: // Form D is not among an adviser's states
	}
	return 4
}
