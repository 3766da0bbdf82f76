package catalogtest

import (
	"hash/fnv"
	"math/rand/v2"
	"strconv"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/itertest"
)

// panels are the lists of the filings of a paper that answers show as they were filed. Every third paper has no such tables.
type panels struct {
	offices    []*catalogapi.OfficeRow
	subAdvised []*catalogapi.SubAdvisedRow
	owners     []*catalogapi.OwnerRow
}

func (p *panels) put(d *catalogapi.Document) {
	name := fnv.New32()
	_, _ = name.Write([]byte(d.Name))
	if name.Sum32()%3 > 0 {
		d.Offices, d.SubAdvised, d.Owners = itertest.Rows(p.offices...), itertest.Rows(p.subAdvised...), itertest.Rows(p.owners...)
	}
}

func (p *panels) only(in map[string]bool) panels {
	return panels{
		only(p.offices, func(o *catalogapi.OfficeRow) bool { return in[o.FilingKey] }),
		only(p.subAdvised, func(s *catalogapi.SubAdvisedRow) bool { return in[s.FilingKey] }),
		only(p.owners, func(o *catalogapi.OwnerRow) bool { return in[o.FilingKey] }),
	}
}

// fill adds what a filing lists in a paper. It has random numbers of its own, so that what is written otherwise depends on the seed alone.
func (p *panels) fill(f *catalogapi.AdviserFiling, paper int) {
	key, _ := strconv.ParseUint(f.Key, 10, 64)
	r := rand.New(rand.NewPCG(key, uint64(paper)))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	for range r.IntN(3) {
		p.offices = append(p.offices, &catalogapi.OfficeRow{
			FilingKey: f.Key, Street1: "2 Example Plaza", City: pick("Chicago", "Salem"), State: pick("", "IL"), File: "f", Line: 1,
		})
		p.subAdvised = append(p.subAdvised, &catalogapi.SubAdvisedRow{
			FilingKey: f.Key, FundID: PaperFundID(r.IntN(PaperFunds)), Name: pick("Fund I", "Quarry Credit LP"), AdviserName: "Kestrel Advisers LLC", File: "f", Line: 1,
		})
		p.owners = append(p.owners, &catalogapi.OwnerRow{
			FilingKey: f.Key, Schedule: "A", Name: pick("QUARRY HOLDINGS LLC", "MOSSGATE TOP LTD"), EntityType: pick("DE", "FE", "I"), OwnershipCode: pick("", "C", "E"), File: "f", Line: 1,
		})
	}
}
