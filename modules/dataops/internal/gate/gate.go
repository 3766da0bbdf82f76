package gate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Check names a rule. The names are those of dataops.alerts and of the command that lets one pass.
type Check string

// The rules.
const (
	UniverseShrunk Check = "universe_shrunk" // more than a tenth of the advisers would be gone
	KeysDoubled    Check = "keys_doubled"    // rows repeat earlier rows' keys
	ColumnLost     Check = "column_lost"     // a column that was there is missing
	TableLost      Check = "table_lost"      // a table that was there is missing
	RowsUnusable   Check = "rows_unusable"   // more than a twentieth of the rows cannot be used
	RowsLost       Check = "rows_lost"       // a table has far fewer rows for its filings than before, or is cut off
	ValuesChanged  Check = "values_changed"  // most values of a field differ from those of the filings before
)

// Doubts are no rules: the document is loaded, with an alert.
const (
	EditionDoubtful Check = "edition_doubtful" // its day may be wrong
	RowsDoubtful    Check = "rows_doubtful"    // rows of it, or of an earlier document, may be missing
)

// Checks returns every rule.
func Checks() []Check {
	return []Check{UniverseShrunk, KeysDoubled, ColumnLost, TableLost, RowsUnusable, RowsLost, ValuesChanged}
}

// ParseCheck reads the name of a rule.
func ParseCheck(name string) (Check, error) {
	if c := Check(name); slices.Contains(Checks(), c) {
		return c, nil
	}
	names := make([]string, 0, len(Checks()))
	for _, c := range Checks() {
		names = append(names, string(c))
	}
	return "", fmt.Errorf("%q is not a check of the quality gate; the checks are %s", name, strings.Join(names, ", "))
}

// Finding is one rule that a document breaks.
type Finding struct {
	Check  Check
	Reason string // a sentence with the figures
	Final  bool   // the operator cannot let it pass: there is nothing to load
}

// Baseline is the document that a new one is compared with: the newest edition of its series that is not newer than it.
type Baseline struct {
	RunID    int64
	Document string
	Edition  time.Time           // zero = not known
	Advisers int64               // distinct advisers that it named; 0 = not counted
	Layout   map[string][]string // folded column names by table
}

// The limits. A tenth is the issue's. Of repeated rows real rosters have none at all (21,961 rows of two real ones, 106,978
// of ten good months), so one in fifty is far from any real file and far from a list that is there twice. A short file
// may have one or two more.
const (
	keptTenths     = 9  // at least so many tenths of the advisers must remain
	repeatedOneIn  = 50 // at most one row in so many may repeat another
	repeatedFew    = 10 // but so many rows may,
	repeatedFewCap = 4  // unless they are more than one in so many
	UnusableOneIn  = 20 // at most one row in so many may be of no use, however short the document is
)

// Columns looks for columns that the previous document had and this one lacks. It compares the tables that both have; Tables
// compares the others. Without a layout there is nothing to compare. reads returns the present name of the column that a
// header of a table means, or "" if no parser reads it; nil = all are read.
func Columns(before Baseline, layout map[string][]string, reads func(table, column string) string) []Finding {
	if reads == nil {
		reads = func(_, column string) string { return column }
	}
	var lost []string
	for table, columns := range before.Layout {
		now, there := layout[table]
		if !there {
			continue
		}
		has := make(map[string]bool, len(now))
		for _, c := range now {
			has[reads(table, c)] = true
		}
		for _, c := range columns {
			if name := reads(table, c); name != "" && !has[name] {
				lost = append(lost, column(table, name))
			}
		}
	}
	slices.Sort(lost)
	lost = slices.Compact(lost) // a header may name a column twice
	if len(lost) == 0 {
		return nil
	}
	what := "a column is"
	if len(lost) > 1 {
		what = fmt.Sprintf("%d columns are", len(lost))
	}
	return []Finding{{Check: ColumnLost, Reason: fmt.Sprintf("%s missing that %s (run %d) had: %s", what, before.Document, before.RunID, list(lost))}}
}

// Tables looks for tables that the document before had and this one lacks. A table in which nothing was filed is there
// without rows. Without a layout there is nothing to compare.
func Tables(before Baseline, layout map[string][]string) []Finding {
	if layout == nil {
		return nil
	}
	var lost []string
	for table := range before.Layout {
		if _, there := layout[table]; !there {
			lost = append(lost, table)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	return []Finding{{Check: TableLost, Reason: fmt.Sprintf("%s missing that %s (run %d) had: %s", tablesAre(lost), before.Document, before.RunID, list(lost))}}
}

// Lacking returns the finding that a document lacks tables that documents of its format have. It is an alert and stops nothing:
// the content of the tables is known from other documents, or not at all.
func Lacking(tables []string) Finding {
	return Finding{Check: TableLost, Reason: fmt.Sprintf("%s missing: %s. What earlier documents said in their place stays", tablesAre(tables), list(tables))}
}

func tablesAre(tables []string) string {
	if len(tables) == 1 {
		return "a table is"
	}
	return fmt.Sprintf("%d tables are", len(tables))
}

// column names a column for a message; a document of one table does not name that.
func column(table, name string) string {
	if table == "" {
		return name
	}
	return table + "." + name
}

// namesShown is how many lost columns a message names.
const namesShown = 8

func list(names []string) string {
	slices.Sort(names)
	if len(names) <= namesShown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:namesShown], ", "), len(names)-namesShown)
}

// Universe looks whether a list of all advisers names fewer than nine tenths of those that the list before named.
func Universe(before Baseline, advisers int64) []Finding {
	if before.Advisers == 0 || advisers*10 >= before.Advisers*keptTenths {
		return nil
	}
	return []Finding{{Check: UniverseShrunk, Reason: fmt.Sprintf("it lists %d advisers, but %s (run %d) listed %d: fewer than nine tenths",
		advisers, before.Document, before.RunID, before.Advisers)}}
}

// goneOneIn: at most one in goneOneIn advisers of a list may be missing from its next edition. In real months less than one
// in fifty is missing after a month, but editions may be two years apart.
const goneOneIn = 4

// Whole reports whether a list can be the next edition of one that named so many advisers, although some of them are gone:
// at most a quarter. What names fewer is a cut of the list, however many it names in all.
func Whole(listed, gone int64) bool { return gone*goneOneIn <= listed }

// Withdrawals looks whether a document would withdraw more than a tenth of the advisers that are current.
func Withdrawals(current, withdrawn int64) []Finding {
	if withdrawn*10 <= current*(10-keptTenths) {
		return nil
	}
	return []Finding{{Check: UniverseShrunk, Reason: fmt.Sprintf("it withdraws %d of the %d current advisers: more than a tenth", withdrawn, current)}}
}

// The limits of withdrawals and commitments that a document no longer has: few are taken back at a time.
const (
	lackingFew   = 2  // so many may be lacking,
	lackingOneIn = 20 // and at most one in so many of those that the document brought before
)

// Lacked looks whether a document lacks more than a few of the rows that an earlier loading of it brought: they would be taken back. names
// are some of them, if there is something to call them by.
func Lacked(rows string, brought, lacking int64, names string) []Finding {
	if lacking <= lackingFew || lacking*lackingOneIn <= brought {
		return nil
	}
	reason := fmt.Sprintf("it lacks %d of the %d %s that were loaded from this document before: more than one in %d", lacking, brought, rows, lackingOneIn)
	if names != "" {
		reason += ": " + names
	}
	return []Finding{{Check: RowsLost, Reason: reason}}
}

// Repeated looks whether too many of the rows repeat the key of an earlier one. rows are those that have a key: rows that belong to
// another would hide that a short list is there twice.
func Repeated(repeated, rows int64) []Finding {
	if repeated <= max(rows/repeatedOneIn, min(rows/repeatedFewCap, repeatedFew)) {
		return nil
	}
	return []Finding{{Check: KeysDoubled, Reason: fmt.Sprintf("%d of its %d rows repeat the key of an earlier one", repeated, rows)}}
}

// Unusable looks whether too many of the rows cannot be used. Rows that repeat another are not among them: see
// Repeated.
func Unusable(unusable, rows int64) []Finding {
	if unusable*UnusableOneIn <= rows {
		return nil
	}
	return []Finding{{Check: RowsUnusable, Reason: fmt.Sprintf("%d of its %d rows cannot be used: more than one in %d", unusable, rows, UnusableOneIn)}}
}

// Nothing returns the finding of a document without usable rows: it has no rows, or none of them can be loaded. first is the
// reason why the first row cannot be loaded.
func Nothing(unusable, rows int64, first string) Finding {
	if unusable == 0 {
		return Finding{Check: RowsUnusable, Reason: "it contains nothing that can be loaded: it has a header and no rows", Final: true}
	}
	reason := fmt.Sprintf("it contains nothing that can be loaded: %d of its %d rows are in quarantine; the first: %s", unusable, rows, first)
	return Finding{Check: RowsUnusable, Reason: reason, Final: true}
}

// TooMany returns the finding that reading ended because too many rows cannot be used.
func TooMany(why error) Finding { return Finding{Check: RowsUnusable, Reason: why.Error()} }

// StoppedError means that a document was stopped.
type StoppedError struct{ Findings []Finding }

// Error is a sentence with every reason, and the way out where there is one.
func (e *StoppedError) Error() string {
	reasons := make([]string, len(e.Findings))
	names := make([]string, len(e.Findings))
	for i, f := range e.Findings {
		reasons[i], names[i] = fmt.Sprintf("%s (%s)", f.Reason, f.Check), string(f.Check)
	}
	said := fmt.Sprintf("stopped by the quality gate: %s. Nothing was loaded", strings.Join(reasons, "; "))
	if slices.ContainsFunc(e.Findings, func(f Finding) bool { return f.Final }) {
		return said
	}
	slices.Sort(names)
	return fmt.Sprintf("%s. If the document is correct, ingest it with --accept %s", said, strings.Join(slices.Compact(names), ","))
}

// Stopped returns the findings of a document that was stopped, if err is a StoppedError.
func Stopped(err error) []Finding {
	if e, ok := errors.AsType[*StoppedError](err); ok {
		return e.Findings
	}
	return nil
}

// Judge separates findings that stop the document from those that the operator lets pass. The error is nil when nothing stops.
func Judge(found []Finding, accepted []Check) (passed []Finding, err error) {
	var stop []Finding
	for _, f := range found {
		if slices.Contains(accepted, f.Check) && !f.Final {
			passed = append(passed, f)
		} else {
			stop = append(stop, f)
		}
	}
	if len(stop) == 0 {
		return passed, nil
	}
	slices.SortStableFunc(stop, func(a, b Finding) int {
		switch {
		case a.Final && !b.Final:
			return -1 // the worst first
		case b.Final && !a.Final:
			return 1
		}
		return cmp.Compare(a.Check, b.Check)
	})
	return passed, &StoppedError{Findings: stop}
}
