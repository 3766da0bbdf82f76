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

// The tables that are read. Others are passed over.
const (
	baseA       = "adv_base_a"
	baseB       = "adv_base_b"
	baseERA     = "adv_base"
	websites    = "schedule_d_1i"
	funds       = "schedule_d_7b1"
	formD       = "schedule_d_7b1a22"
	auditors    = "schedule_d_7b1a23"
	filingTypes = "adv_filing_types"
)

// memberName takes a member's name apart. The date part must follow the table's name at once: otherwise the table of
// funds could not be told from its children (7B1, 7B1A23, 7B1A28_websites).
var memberName = regexp.MustCompile(`(?i)^(?:(IA|ERA)_)?` +
	`(ADV_Base(?:_[AB])?|Schedule_D_1I|Schedule_D_7B1(?:A22|A23)?|ADV_Filing_Types)_(\d{8})_(\d{8})\.csv$`)

// archiveName tells an archive by its name alone, so that one without tables is refused as what it is.
var archiveName = regexp.MustCompile(`(?i)^adv[-_]filing[-_]data[-_]`)

// piece is one table's part for a range of days.
type piece struct {
	file     table.File
	from, to time.Time
}

// base gives the table that holds the filings of a kind.
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
		tables[id] = append(tables[id], &piece{file: table.File{Name: m.Name, Open: m.Open, Columns: columns[id.name]}, from: from, to: to})
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

// ordered gives the tables in a fixed order, so that of several faults the same is named each time.
func ordered(tables map[tableID][]*piece) []tableID {
	return slices.SortedFunc(maps.Keys(tables), func(a, b tableID) int {
		return cmp.Or(strings.Compare(string(a.kind), string(b.kind)), strings.Compare(a.name, b.name))
	})
}

func identify(name string) (id tableID, from, to time.Time, ok bool) {
	part := memberName.FindStringSubmatch(name)
	if part == nil {
		return tableID{}, from, to, false
	}
	id = tableID{kind(strings.ToUpper(part[1])), strings.ToLower(part[2])}
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

// joinable checks that each kind which has tables has the filings that they belong to. The archive of the years 2011 to
// 2024 comes in two parts of which the second has none.
func joinable(tables map[tableID][]*piece) error {
	for _, k := range []kind{ia, era} {
		if len(tables[base(k)]) > 0 {
			continue
		}
		for _, id := range ordered(tables) {
			if id.kind == k {
				return fmt.Errorf("it holds %s but no %s_%s table of the filings that it belongs to; if the archive has several parts, "+
					"unpack them into one folder and give the folder", tables[id][0].file.Name, k, baseLabel(k))
			}
		}
	}
	if len(tables[base(ia)])+len(tables[base(era)]) == 0 {
		return fmt.Errorf("it holds no table of filings (IA_%s or ERA_%s)", baseLabel(ia), baseLabel(era))
	}
	return nil
}

func baseLabel(k kind) string {
	if k == era {
		return "ADV_Base"
	}
	return "ADV_Base_A"
}

// covers says whether the pieces reach from one day to another without a gap. They are in the order of their dates.
func covers(pieces []*piece, from, to time.Time) bool {
	for _, p := range pieces {
		if !p.from.After(from) && !p.to.Before(from) {
			from = p.to.AddDate(0, 0, 1)
		}
	}
	return from.After(to)
}
