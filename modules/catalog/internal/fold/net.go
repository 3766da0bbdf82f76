package fold

// InMaster says whether the assets of one of an adviser's funds count with its master: it is a feeder, and the master that it
// names is another open fund of the adviser, of known value. What funds would be each other's masters count both.
//
// Spec: not shown; Form ADV states both (Schedule D 7.B.(1) items 6 and 11), so that a sum over all funds has the same assets
// twice. A feeder of another adviser's master, or of one that is not named, counts: nobody else's sum here has its assets.
func InMaster(f *Fund, funds []Fund) bool {
	if !f.feeds() {
		return false
	}
	for i := range funds {
		if m := &funds[i]; m.FundID == *f.MasterFundID {
			return m.FundID != f.FundID && m.Status != closed && m.GrossAssetValue != nil && (!m.feeds() || *m.MasterFundID != f.FundID)
		}
	}
	return false
}

// feeds says that the fund is a feeder of a master that it names.
func (f *Fund) feeds() bool { return value(f.IsFeeder) && f.MasterFundID != nil }

// net sums up the value of the funds that are not closed, feeders with their masters; nil where none of them states a value, or
// where one that does is not known to be a feeder or not: it may be in its master already. A list of funds does not say.
func (s *summed) net() (total *int64) {
	for i := range s.funds {
		f := &s.funds[i]
		if f.Status == closed || f.GrossAssetValue == nil {
			continue
		}
		if f.IsFeeder == nil {
			return nil
		}
		if !InMaster(f, s.funds) {
			total = sum(total, f.GrossAssetValue)
		}
	}
	return total
}
