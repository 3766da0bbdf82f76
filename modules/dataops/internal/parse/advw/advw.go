package advw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/table"
)

var (
	// mainName recognizes the table of withdrawals. The schedules beside it (ADVW_W1_…, ADVW_W2_…: assets owed to clients and
	// money owed by the firm) have nothing that we keep, and are skipped.
	mainName = regexp.MustCompile(`(?i)^(?:IA_)?ADV-?W_\d{8}_\d{8}\.csv$`)
	// archiveName recognizes an archive by its name alone, so that the error about an archive without the table calls it one.
	archiveName = regexp.MustCompile(`(?i)^adv-?w[-_].*\.zip$`)
)

// Format describes the withdrawals to the parser's registry.
func Format() format.Format {
	return format.Format{
		Name:    string(catalogapi.SourceADVW),
		Looks:   "Form ADV-W table",
		Columns: telling,
		Detect:  detect,
		Open:    open,
	}
}

func detect(in *archive.Input) (bool, error) {
	for _, m := range in.Members {
		if mainName.MatchString(m.Name) {
			return true, nil
		}
	}
	if in.Packed && archiveName.MatchString(in.Name) {
		return true, nil
	}
	if len(in.Members) != 1 || in.Members[0].Workbook {
		return false, nil
	}
	return byHeader(in.Members[0])
}

// telling are the columns by which the table is known.
var telling = []string{"Filing Type", "Business Ceased", "Reasons for Withdrawal"}

// byHeader recognizes a table that was given another name.
func byHeader(m *archive.Member) (bool, error) {
	names, err := format.Header(m)
	if err != nil {
		return false, err
	}
	for _, name := range telling {
		if !slices.Contains(names, table.Fold(name)) {
			return false, nil
		}
	}
	return true, nil
}

var known = table.Known(withdrawalColumns)

// document is an open table of withdrawals, in one or several files.
type document struct {
	ctx      context.Context //nolint:containedctx // the sequences take no arguments; Open's context is theirs by contract
	opts     format.Options
	files    []*table.File
	repeated int64
}

// open finds the table and reads it once through, for damage, charset and missing columns.
func open(ctx context.Context, in *archive.Input, opts format.Options) (format.Opened, error) {
	members, err := choose(in)
	if err != nil {
		return format.Opened{}, err
	}
	d := &document{ctx: ctx, opts: opts}
	var columns []string
	for _, m := range members {
		file := &table.File{Name: m.Name, Open: m.Open, Columns: withdrawalColumns, Reject: opts.Reject, Ended: in.Packed && !opts.Unended}
		if err := file.Inspect(ctx, nil, nil); err != nil {
			return format.Opened{}, err
		}
		names, err := format.Header(m)
		if err != nil {
			return format.Opened{}, fmt.Errorf("%s: %w", m.Name, err)
		}
		for _, name := range names {
			if !slices.Contains(columns, name) {
				columns = append(columns, name)
			}
		}
		d.files = append(d.files, file)
	}
	return format.Opened{
		Document: catalogapi.Document{Source: catalogapi.SourceADVW, Withdrawals: d.withdrawals()},
		Series:   string(catalogapi.SourceADVW),
		Layout:   map[string][]string{"advw": columns},
		Reads:    func(_, header string) string { return known(header) },
		Repeated: func() int64 { return d.repeated },
	}, nil
}

// choose finds the members with the table, in the order of their dates.
func choose(in *archive.Input) ([]*archive.Member, error) {
	var members []*archive.Member
	for _, m := range in.Members {
		if mainName.MatchString(m.Name) {
			members = append(members, m)
		}
	}
	slices.SortStableFunc(members, func(a, b *archive.Member) int { return cmp.Compare(strings.ToUpper(a.Name), strings.ToUpper(b.Name)) })
	for i := 1; i < len(members); i++ {
		if strings.EqualFold(members[i].Name, members[i-1].Name) {
			return nil, fmt.Errorf("the table %s is there twice", members[i].Name)
		}
	}
	if len(members) > 0 {
		return members, nil
	}
	if len(in.Members) == 1 {
		if mine, err := byHeader(in.Members[0]); mine || err != nil {
			return in.Members, err
		}
	}
	return nil, errors.New("it contains no table of Forms ADV-W (ADVW_yyyymmdd_yyyymmdd.csv)")
}

// withdrawals streams the forms. A filing number that comes again is quarantined: the first row rules.
func (d *document) withdrawals() iter.Seq2[*catalogapi.WithdrawalRow, error] {
	return func(yield func(*catalogapi.WithdrawalRow, error) bool) {
		seen := make(map[string]struct{})
		d.repeated = 0
		for _, file := range d.files {
			for row, err := range file.Rows(d.ctx) {
				if err != nil {
					yield(nil, err)
					return
				}
				w := withdrawal(row, d.opts.NotAfter)
				if _, again := seen[w.FilingID]; again && row.Fault() == "" {
					d.repeated++
					row.Fail("Filing ID repeats an earlier filing: " + w.FilingID)
				}
				if row.Fault() != "" {
					file.Quarantine(row)
					continue
				}
				seen[w.FilingID] = struct{}{}
				if !yield(w, nil) {
					return
				}
			}
		}
	}
}
