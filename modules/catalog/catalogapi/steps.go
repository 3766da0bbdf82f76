package catalogapi

// Steps returns the states after filings, each filing once. A row of a roster, a feed or a list of funds is evidence of a
// filing of its day: if there is a better source for that day, the state after the row is no step of its own.
//
// The view catalog.pub_listed_filing and filing/market.sql leave out the same rows (TestStepsAreTheListedFilings compares them), and so does
// analytics/internal/amendment/fund.sql, of one fund (TestFundsAreListedAsTheirManager).
//
// Spec: not shown; what such evidence adds to the filing is counted as the filing's, so that nothing is lost.
func Steps(states []AdviserState) []AdviserState {
	kept := make([]AdviserState, 0, len(states))
	for i := 0; i < len(states); {
		end, best := i, 0
		for ; end < len(states) && states[end].Filing.FiledOn.Equal(states[i].Filing.FiledOn); end++ {
			if s := states[end].Filing.Source; s != SourceADVW {
				best = max(best, s.Authority())
			}
		}
		first := len(kept)
		for _, s := range states[i:end] {
			switch source := s.Filing.Source; {
			case source == SourceADVW || source.Authority() == best: // a withdrawal is a filing besides all others
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
