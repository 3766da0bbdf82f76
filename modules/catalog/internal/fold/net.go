package fold

import "gpatlas/modules/catalog/catalogapi"

// InMasters are those of an adviser's funds whose assets count with their masters: feeders of another open fund of the adviser, of known
// value. Two funds that name each other as masters both count.
//
// Spec: not shown; Form ADV states both (Schedule D 7.B.(1) items 6 and 11), so that a sum over all funds has the same assets
// twice. A feeder of another adviser's master, or of one that is not named, counts: no other sum here has its assets.
func InMasters(funds []Fund) map[*Fund]bool {
	var in map[*Fund]bool
	var byID map[string]*Fund
	for i := range funds {
		f := &funds[i]
		if !f.feeds() {
			continue
		}
		if byID == nil {
			in, byID = map[*Fund]bool{}, make(map[string]*Fund, len(funds))
			for k := range funds {
				byID[funds[k].FundID] = &funds[k]
			}
		}
		m := byID[*f.MasterFundID]
		if m != nil && m != f && m.Status != catalogapi.FundClosed && m.GrossAssetValue != nil && (!m.feeds() || *m.MasterFundID != f.FundID) {
			in[f] = true
		}
	}
	return in
}

// feeds says that the fund is a feeder of a master that it names.
func (f *Fund) feeds() bool { return value(f.IsFeeder) && f.MasterFundID != nil }

// net sums up the value of the funds that are not closed, feeders with their masters; nil where none of them states a value, or
// where one that does is not known to be a feeder or not: it may be in its master already. A list of funds does not say.
func (s *summed) net(inMasters map[*Fund]bool) (total *int64) {
	for i := range s.funds {
		f := &s.funds[i]
		if f.Status == catalogapi.FundClosed || f.GrossAssetValue == nil {
			continue
		}
		if f.IsFeeder == nil {
			return nil
		}
		if !inMasters[f] {
			total = sum(total, f.GrossAssetValue)
		}
	}
	return total
}
