package ingest

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/stage"
)

// WriteJSON writes the summary for machines.
func (s Summary) WriteJSON(out io.Writer) error {
	if s.Documents == nil {
		s.Documents = []Document{}
	}
	if s.Stages == nil {
		s.Stages = []Stage{}
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// WriteText writes the summary for people.
func (s Summary) WriteText(out io.Writer) error {
	var b strings.Builder
	for _, r := range s.Sources {
		b.WriteString(r.String() + "\n")
	}
	if len(s.Sources) == 0 || len(s.Documents) > 0 {
		if err := s.writeFigures(&b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// writeFigures writes what was loaded of the documents.
func (s Summary) writeFigures(b *strings.Builder) error {
	if s.Failed > 0 && s.Failed == len(s.Documents) {
		s.writeFailed(b) // a table of zeros would say nothing
		return nil
	}
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(w, "\tnew\tchanged\tunchanged\t")
	for _, kind := range []struct {
		name   string
		counts Counts
	}{{"filings", s.Filings}, {"advisers", s.Advisers}, {"funds", s.Funds}, {"commitments", s.Commitments}} {
		if kind.name == "commitments" && kind.counts == (Counts{}) {
			continue
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t\n", kind.name, grouped(kind.counts.New), grouped(kind.counts.Changed), grouped(kind.counts.Unchanged))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(b, "%s rows read, %s quarantined, %.1f s, %s rows per second\n",
		grouped(s.Read), grouped(s.Quarantined), s.Seconds, grouped(s.RowsPerSecond))
	if s.Left != (Left{}) {
		fmt.Fprintf(b, "left: %s advisers (withdrawn or no longer listed), %s funds (no longer reported)\n", grouped(s.Left.Advisers), grouped(s.Left.Funds))
	}
	for _, d := range s.Documents {
		if d.Quarantined > 0 {
			fmt.Fprintf(b, "%s: %s quarantined; gpatlas admin quarantine %d lists them; the first: %s\n", d.Document, rows(d.Quarantined), d.RunID, d.FirstReason)
		}
		if n := len(d.TakenBack); n > 0 {
			fmt.Fprintf(b, "%s: %s taken back: %s\n", d.Document, stage.Count(int64(n), "withdrawal"), takenBack(d.TakenBack, ofWithdrawal))
		}
		if n := len(d.CommitmentsBack); n > 0 {
			fmt.Fprintf(b, "%s: %s taken back: %s\n", d.Document, stage.Count(int64(n), "commitment"), takenBack(d.CommitmentsBack, ofCommitment))
		}
		if len(d.Replaces) > 0 {
			fmt.Fprintf(b, "%s: replaced figures that other documents state of the same days: %s\n", d.Document, strings.Join(d.Replaces, ", "))
		}
		for _, warning := range d.Warnings {
			fmt.Fprintf(b, "%s: warning: %s (dataops.alerts, run %d)\n", d.Document, warning, d.RunID)
		}
		if len(d.Accepted) > 0 {
			fmt.Fprintf(b, "%s: accepted by the operator at the quality gate: %s (dataops.alerts, run %d)\n", d.Document, strings.Join(d.Accepted, ", "), d.RunID)
		}
	}
	s.writeFailed(b)
	switch {
	case s.Changed || s.Interrupted || s.DatabaseLost || s.Failed > 0 || s.Filings.New+s.Filings.Changed+s.Commitments.New+s.Commitments.Changed > 0:
	case s.PeopleRead > 0:
		fmt.Fprintf(b, "Everything was already loaded; the people of %s were read now.\n", stage.Count(s.PeopleRead, "adviser"))
	case s.Quarantined > 0:
		b.WriteString("Nothing changed: everything that can be used was already loaded.\n")
	default:
		b.WriteString("Nothing changed: everything was already loaded.\n")
	}
	return nil
}

// takenBack names what was taken back; of many, the first ones.
func takenBack[T any](all []T, name func(T) string) string {
	var names []string
	for i, t := range all {
		if i == lostShown && len(all) > lostShown+1 {
			names = append(names, fmt.Sprintf("%d more", len(all)-i))
			break
		}
		names = append(names, name(t))
	}
	return strings.Join(names, ", ")
}

func ofWithdrawal(t catalogapi.TakenBack) string {
	return fmt.Sprintf("Filing ID %d of CRD %s", t.FilingID, t.CRD)
}

func ofCommitment(t peopleapi.TakenBack) string {
	s := fmt.Sprintf("%s of %s on %s", t.Fund, inState(t.LP, t.State), t.AsOf)
	if t.Restored {
		s += " (another document's figures are shown again)"
	}
	return s
}

func renamed(r peopleapi.Renamed) string {
	return fmt.Sprintf("%s (%d of %d commitments of %s)", inState(r.Now, r.NowState), r.Moved, r.Had, inState(r.LP, r.State))
}

func renamedFund(r peopleapi.RenamedFund) string {
	return fmt.Sprintf("%s (%s before) of %s", r.Now, r.Fund, inState(r.LP, r.State))
}

// inState is the name of an LP with its state, if it is known.
func inState(lp, state string) string { return strings.TrimSuffix(lp+", "+state, ", ") }

func (s Summary) writeFailed(b *strings.Builder) {
	switch {
	case s.Interrupted: // Interruption says it
	case s.DatabaseLost:
		s.writeLost(b)
	case s.Failed == 1 && len(s.Documents) == 1: // its line is enough
	case s.Failed > 0 && s.Failed == len(s.Documents):
		fmt.Fprintf(b, "All %d documents failed; nothing was loaded.\n", s.Failed)
	case s.Failed > 0:
		fmt.Fprintf(b, "%d of %d documents failed and were not loaded.\n", s.Failed, len(s.Documents))
	}
}

// lostShown is how many documents that were not loaded, or withdrawals and commitments that were taken back, a line names.
const lostShown = 8

// writeLost names the documents that were not loaded because the connection to the database was lost; of many, the first ones.
func (s Summary) writeLost(b *strings.Builder) {
	var names []string
	for _, d := range s.Documents {
		if d.Error != "" {
			names = append(names, d.Document)
		}
	}
	if more := len(names) - lostShown; more > 0 {
		names = append(names[:lostShown], fmt.Sprintf("%d more", more))
	}
	if s.NotBegun > 0 {
		names = append(names, fmt.Sprintf("%s not begun", stage.Count(s.NotBegun, "document")))
	}
	if len(names) > 0 {
		fmt.Fprintf(b, "Not loaded: %s.\n", strings.Join(names, ", "))
	}
}

// line is the line about one document.
func line(d Document) string {
	switch {
	case d.Error != "":
		return d.Document + ": failed: " + strings.TrimPrefix(d.Error, d.Document+": ")
	case !d.Changed && d.Filings.New+d.Filings.Changed == 0:
		return fmt.Sprintf("%s: nothing changed%s (%s, %.1f s)", d.Document, quarantined(d), rows(d.Read), d.Seconds)
	}
	what, counts := "filings", d.Filings
	if d.Commitments != (Counts{}) {
		what, counts = "commitments", d.Commitments
	}
	text := fmt.Sprintf("%s: %s, %s %s new %s changed", d.Document, rows(d.Read), what, grouped(counts.New), grouped(counts.Changed))
	return fmt.Sprintf("%s%s (%.1f s, %s rows/s)", text, quarantined(d), d.Seconds, grouped(d.RowsPerSecond))
}

func rows(n int64) string {
	if n == 1 {
		return "1 row"
	}
	return grouped(n) + " rows"
}

// grouped writes a count with commas.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func quarantined(d Document) string {
	if d.Quarantined == 0 {
		return ""
	}
	return ", " + grouped(d.Quarantined) + " quarantined"
}
