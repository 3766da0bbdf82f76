package adv

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/table"
	"gpatlas/modules/dataops/internal/parse/value"
)

// kind parts the filings of registered advisers from those of exempt reporting ones: FilingIDs are unique in each.
type kind string

const (
	ia  kind = "IA"
	era kind = "ERA"
)

// tableID names a table of one kind; the table of filing types has no kind.
type tableID struct {
	kind kind
	name string // lower case, as in the member's name
}

// The tables that are read, by the names of their members between the kind and the dates. Others are skipped.
const (
	baseA       = "adv_base_a"
	baseB       = "adv_base_b"
	baseERA     = "adv_base"
	filingTypes = "adv_filing_types"

	ciks       = "1d3_cik"
	otherCRDs  = "1e2_additional_crd"
	offices    = "schedule_d_1f"
	websites   = "schedule_d_1i"
	affiliates = "schedule_d_7a"
	owners     = "schedule_a_b"

	drpCriminal   = "drp_criminal"
	drpRegulatory = "drp_regulatory"
	drpCivil      = "drp_civil_judicial"
	drpAffiliates = "drp_advisory_affiliates"

	funds           = "schedule_d_7b1"
	partners        = "schedule_d_7b1a3a"
	feeders         = "schedule_d_7b1a6b"
	feederDetails   = "schedule_d_7b1a7"
	formD           = "schedule_d_7b1a22"
	auditors        = "schedule_d_7b1a23"
	primeBrokers    = "schedule_d_7b1a24"
	custodians      = "schedule_d_7b1a25"
	administrators  = "schedule_d_7b1a26"
	marketers       = "schedule_d_7b1a28"
	marketerSites   = "schedule_d_7b1a28_websites"
	subAdvisedFunds = "schedule_d_7b2"
)

// memberName takes a member's name apart. All between the kind and the dates is the table's name, so that the table of
// funds differs from its children (7B1, 7B1A23, 7B1A28_websites).
var memberName = regexp.MustCompile(`(?i)^(?:(IA|ERA)_)?(.+)_(\d{8})_(\d{8})\.csv$`)

// archiveName recognizes an archive by its name alone, so that the error about an archive without tables calls it one.
var archiveName = regexp.MustCompile(`(?i)^adv[-_]filing[-_]data[-_]`)

// piece is one table's part for a range of days.
type piece struct {
	file     table.File
	from, to time.Time
	head     func() ([]byte, error) // its first bytes, with the header
	header   []string               // folded
	unusable bool                   // its header is unusable, so it is skipped
	bare     bool                   // it has a header and no rows, so it says nothing of any filing
}

// needed reports whether an archive is unusable if the table's header is. Any other table is then skipped.
func needed(name string) bool {
	switch name {
	case baseA, baseERA, funds:
		return true
	}
	return false
}

// base returns the table that holds the filings of a kind.
func base(k kind) tableID {
	if k == era {
		return tableID{era, baseERA}
	}
	return tableID{ia, baseA}
}

// choose finds the members that are tables of ours, by table, in the order of their dates.
func choose(in *archive.Input) (map[tableID][]*piece, error) {
	tables := make(map[tableID][]*piece)
	for _, m := range in.Members {
		id, from, to, ok := identify(m.Name)
		if !ok {
			continue
		}
		file := table.File{Name: m.Name, Open: m.Open, Columns: columns[id.name], Repair: joinEtc}
		tables[id] = append(tables[id], &piece{file: file, from: from, to: to, head: m.Head})
	}
	for _, id := range ordered(tables) {
		pieces := tables[id]
		slices.SortStableFunc(pieces, func(a, b *piece) int {
			return cmp.Or(a.from.Compare(b.from), a.to.Compare(b.to), strings.Compare(a.file.Name, b.file.Name))
		})
		for i, p := range pieces[1:] {
			if before := pieces[i]; p.from.Equal(before.from) && p.to.Equal(before.to) {
				return nil, fmt.Errorf("the table %s is there twice", p.file.Name)
			}
		}
	}
	return tables, nil
}

// ordered returns the tables in a fixed order, so that the same one of several faults is reported each time: that of the filings first,
// because the others refer to it.
func ordered(tables map[tableID][]*piece) []tableID {
	return slices.SortedFunc(maps.Keys(tables), func(a, b tableID) int {
		if first := a == base(a.kind); first != (b == base(b.kind)) {
			return map[bool]int{true: -1, false: 1}[first]
		}
		return cmp.Or(strings.Compare(string(a.kind), string(b.kind)), strings.Compare(a.name, b.name))
	})
}

func identify(name string) (id tableID, from, to time.Time, ok bool) {
	part := memberName.FindStringSubmatch(name)
	if part == nil {
		return tableID{}, from, to, false
	}
	id = tableID{kind(strings.ToUpper(part[1])), strings.ToLower(part[2])}
	if columns[id.name] == nil {
		return tableID{}, from, to, false
	}
	switch id.name { // the combinations that exist
	case filingTypes:
		ok = id.kind == ""
	case baseERA:
		ok = id.kind == era
	case baseA, baseB:
		ok = id.kind == ia
	default:
		ok = id.kind != ""
	}
	from, err := value.Day(part[3])
	if err != nil {
		return id, from, to, false
	}
	to, err = value.Day(part[4])
	return id, from, to, ok && err == nil
}

// joinable checks that each kind with tables has the filings that they belong to. The archive of the years 2011 to 2024 is
// published in two parts, and the second has no filings.
func joinable(tables map[tableID][]*piece) error {
	for _, k := range []kind{ia, era} {
		if len(tables[base(k)]) > 0 {
			continue
		}
		for _, id := range ordered(tables) {
			if id.kind == k {
				return fmt.Errorf("it contains %s but not the table %s_%s of its filings; if the archive has several parts, "+
					"put their zip files into one folder and load the folder", tables[id][0].file.Name, k, baseLabel(k))
			}
		}
	}
	if len(tables[base(ia)])+len(tables[base(era)]) == 0 {
		return fmt.Errorf("it contains no table of filings (IA_%s or ERA_%s)", baseLabel(ia), baseLabel(era))
	}
	return nil
}

func baseLabel(k kind) string {
	if k == era {
		return "ADV_Base"
	}
	return "ADV_Base_A"
}

// lacks names the tables of the kinds of filings which the archive has that are not there, as their members are called.
func lacks(tables map[tableID][]*piece) (names []string) {
	for _, k := range []kind{ia, era} {
		for name := range columns {
			id := tableID{k, name}
			if k == era && name == baseB || name == baseA || name == baseERA || name == filingTypes || len(tables[base(k)]) == 0 || len(tables[id]) > 0 {
				continue
			}
			names = append(names, layoutName(id))
		}
	}
	if len(tables[tableID{"", filingTypes}]) == 0 {
		names = append(names, filingTypes)
	}
	slices.Sort(names)
	return names
}

// covers reports whether the pieces that have rows reach from one day to another without a gap. They are in the order of their dates.
func covers(pieces []*piece, from, to time.Time) bool {
	for _, p := range pieces {
		if !p.bare && !p.from.After(from) && !p.to.Before(from) {
			from = p.to.AddDate(0, 0, 1)
		}
	}
	return from.After(to)
}
