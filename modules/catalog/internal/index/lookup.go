package index

import (
	"slices"

	"gpatlas/modules/catalog/catalogapi"
)

// GP returns the adviser of a number. It is the snapshot's own: not to be written to.
func (s *Snapshot) GP(id uint32) *GP { return &s.gps.all[id] }

// FindGP returns the number of the adviser with a CRD.
func (s *Snapshot) FindGP(crd string) (id uint32, ok bool) {
	return s.gps.byCRD.Find(crd)
}

// Fund returns the fund of a number, assembled from its columns.
func (s *Snapshot) Fund(id uint32) Fund {
	ix := s.funds
	fl := ix.flags[id]
	f := Fund{
		ID: ix.id[id], FundID: ix.fundID.At(id), Name: ix.name.At(id),
		State: ix.state.At(id), Country: ix.country.At(id), CountryCode: ix.code.At(id), Strategy: ix.strategy.At(id),
	}
	for n := range fundNumbers {
		setNumber(fundNumbers[n].Of(&f), ix.value(n, id))
	}
	for n := range fundAnswers {
		*fundAnswers[n].Of(&f) = fl.tri(n)
	}
	for n := range fundWords {
		*fundWords[n].Of(&f) = ix.words[n].At(id)
	}
	if gp := ix.gp[id]; gp != noGP {
		f.AdviserCRD = s.gps.all[gp].CRD
	}
	for _, code := range ix.auditors.At(id) {
		f.Auditors = append(f.Auditors, ix.auditors.Words[code])
	}
	if fl&flag506B != 0 {
		f.Exemptions = append(f.Exemptions, exempt506B)
	}
	if fl&flag506C != 0 {
		f.Exemptions = append(f.Exemptions, exempt506C)
	}
	return f
}

// FundHead is what short lists show of a fund.
type FundHead struct {
	ID           int64
	FundID, Name string
	VintageYear  int64 // Unknown when not known
}

// FundHead returns what short lists show of the fund of a number.
func (s *Snapshot) FundHead(id uint32) FundHead {
	ix := s.funds
	return FundHead{ID: ix.id[id], FundID: ix.fundID.At(id), Name: ix.name.At(id), VintageYear: ix.values[FundVintage][id]}
}

// FundGP returns the number of a fund's adviser; false when the adviser is not in the snapshot.
func (s *Snapshot) FundGP(id uint32) (gp uint32, ok bool) {
	gp = s.funds.gp[id]
	return gp, gp != noGP
}

// FindFund returns the number of the fund with a fund id ("805-" and ten digits).
func (s *Snapshot) FindFund(fundID string) (id uint32, ok bool) {
	return s.funds.byFundID.Find(fundID)
}

// FundClosed reports whether a fund is not reported any more.
func (s *Snapshot) FundClosed(id uint32) bool { return s.funds.flags[id]&flagOpen == 0 }

// FundFilter narrows the list of one adviser's funds.
type FundFilter struct {
	Status        string // "" = not closed; active, liquidating, closed
	Type          string // 3c1 or 3c7; "" or all = either
	MinGAV        *int64 // USD; funds of unknown value are then left out
	Limit, Offset int
}

// FundList is one page of an adviser's funds.
type FundList struct {
	Total    int
	Listed   bool  // the adviser's funds are known one by one, or known to be none
	TotalGAV int64 // USD, over those of known value that the filter lets through; Unknown when there are funds, but none of known value
	IDs      []uint32
}

// FundsOf lists the funds of the adviser gp by name, then by id.
func (s *Snapshot) FundsOf(gp uint32, f FundFilter) FundList {
	ix, slots := s.funds, &s.funds.slots
	from, to := slots.start[gp], slots.start[gp+1]
	if f.Status == catalogapi.FundClosed {
		from = slots.open[gp]
	} else {
		to = slots.open[gp]
	}
	out := FundList{Listed: s.listsFunds(gp), TotalGAV: Unknown}
	for _, id := range slots.fund[from:to] {
		if !ix.passes(id, &f) {
			continue
		}
		if out.Total >= f.Offset && len(out.IDs) < f.Limit {
			out.IDs = append(out.IDs, id)
		}
		out.Total++
		out.TotalGAV = addKnown(out.TotalGAV, ix.gav[id])
	}
	if out.Listed && out.Total == 0 {
		out.TotalGAV = 0
	}
	return out
}

func (ix *fundIndex) passes(id uint32, f *FundFilter) bool {
	if f.Status != "" && ix.words[FundStatus].At(id) != f.Status {
		return false
	}
	switch f.Type {
	case exempt3C1:
		if ix.flags[id].tri(Fund3C1) != Yes {
			return false
		}
	case exempt3C7:
		if ix.flags[id].tri(Fund3C7) != Yes {
			return false
		}
	}
	return f.MinGAV == nil || ix.gav[id] != Unknown && ix.gav[id] >= *f.MinGAV
}

// listsFunds reports whether the funds of the adviser gp are known one by one, or known to be none. Of other advisers a
// roster may give the number of funds, but nothing is known of any of them.
func (s *Snapshot) listsFunds(gp uint32) bool {
	slots := &s.funds.slots
	return slots.start[gp] < slots.start[gp+1] || s.gps.all[gp].FundCount == 0
}

// addKnown adds an amount to a total. Both may be Unknown.
func addKnown(total, v int64) int64 {
	switch {
	case v == Unknown:
		return total
	case total == Unknown:
		return v
	}
	return addCapped(total, v)
}

// GPStats sums up the open funds of one adviser. Numbers are Unknown where no filing states them: all of them when the
// adviser's funds are not listed.
type GPStats struct {
	Listed        bool // the adviser's funds are known one by one, or known to be none
	TotalFunds    int64
	TotalGAV      int64 // USD, over the funds of known value
	AvgFundSize   int64 // USD, of the funds of known value that are not in their masters, rounded down
	OldestVintage int64
	NewestVintage int64
	Strategies    []string // sorted
	Fund3C1Count  int64    // of the funds that answer
	Fund3C7Count  int64
}

// GPStats sums up the open funds of the adviser gp.
func (s *Snapshot) GPStats(gp uint32) GPStats {
	ix, slots := s.funds, &s.funds.slots
	out := GPStats{
		TotalFunds: Unknown, TotalGAV: Unknown, AvgFundSize: Unknown, OldestVintage: Unknown, NewestVintage: Unknown,
		Fund3C1Count: Unknown, Fund3C7Count: Unknown,
	}
	if !s.listsFunds(gp) {
		return out
	}
	open := slots.fund[slots.start[gp]:slots.open[gp]]
	out.Listed, out.TotalFunds = true, int64(len(open))
	if len(open) == 0 {
		out.TotalGAV, out.Fund3C1Count, out.Fund3C7Count = 0, 0, 0
		return out
	}
	var net, known int64 // without feeders
	for _, id := range open {
		if v := ix.gav[id]; v != Unknown {
			out.TotalGAV = addKnown(out.TotalGAV, v)
			if ix.flags[id]&flagInMaster == 0 {
				known++
				net = addCapped(net, v)
			}
		}
		if v := ix.values[FundVintage][id]; v != Unknown {
			if out.OldestVintage == Unknown || v < out.OldestVintage {
				out.OldestVintage = v
			}
			out.NewestVintage = max(out.NewestVintage, v) // Unknown is the smallest number of all
		}
		if w := ix.strategy.At(id); w != "" && !slices.Contains(out.Strategies, w) {
			out.Strategies = append(out.Strategies, w)
		}
		out.Fund3C1Count = countAnswer(out.Fund3C1Count, ix.flags[id].tri(Fund3C1))
		out.Fund3C7Count = countAnswer(out.Fund3C7Count, ix.flags[id].tri(Fund3C7))
	}
	if known > 0 {
		out.AvgFundSize = net / known
	}
	slices.Sort(out.Strategies)
	return out
}

// countAnswer counts the answers that are yes; the count is known as soon as one fund answers.
func countAnswer(n int64, answer Tri) int64 {
	switch answer {
	case Yes:
		return addKnown(n, 1)
	case No:
		return addKnown(n, 0)
	case Any:
	}
	return n
}
