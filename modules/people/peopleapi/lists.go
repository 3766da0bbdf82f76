package peopleapi

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"
)

// EntityTypes are the kinds of LPs.
func EntityTypes() []string {
	return []string{"pension", "endowment", "family_office", "fund_of_funds", "insurance", "sovereign_wealth", "corporate", "other"}
}

// Commitment is one LP's investment in one fund on one day, as a list states it. A nil pointer or an empty string means that
// the list does not state it. Amounts are whole US dollars; distributions and net asset values may be negative.
type Commitment struct {
	LP         string
	EntityType string // one of EntityTypes
	Pension    bool   // the list calls all its LPs pensions; used only if no list states an EntityType
	City       string
	State      string
	Country    string

	Fund        string
	Manager     string // as the list names it, which may be a guess of its author
	Vintage     *int16
	Committed   *int64
	Contributed *int64
	Distributed *int64
	NAV         *int64
	IRR         *float64 // percent
	Multiple    *float64
	AsOf        time.Time
}

// Keys identify LP and fund: names without regard to case. An LP's name and state are its key. A list is loaded with the key that the LP's fund has
// with another legal form, if that is clear.
func (c *Commitment) Keys() (lp, fund string) { return Key(c.LP), Key(c.Fund) }

// Key is a name without regard to case.
func Key(name string) string { return strings.ToLower(name) }

// IsEntityType reports whether a word is one of EntityTypes.
func IsEntityType(word string) bool { return slices.Contains(EntityTypes(), word) }

// Fields of a commitment that a list may lack.
const (
	FieldManager     = "gp_name"
	FieldVintage     = "vintage_year"
	FieldContributed = "contributed"
	FieldDistributed = "distributed"
	FieldNAV         = "nav"
	FieldIRR         = "net_irr_percent"
	FieldMultiple    = "multiple"
)

// List is a list of commitments to load.
type List struct {
	RunID int64 // the run that brings it
	// Lacks names the Fields of a commitment that the list has no column for. Values from other lists in these fields stay.
	Lacks []string
	// Before names the runs that loaded a document of the same name before. What they brought of the LPs and days of this list, and it lacks, is taken back.
	Before []int64
	// Dated: the document's name has its date, so another document of the name is a correction of all of its days.
	Dated bool
	// Rows yields each LP, fund and day at most once.
	Rows iter.Seq2[*Commitment, error]
	// Accept is called once all rows are read, before anything is stored. An error ends the load.
	Accept func(ctx context.Context, read ListRead) error
	// Whole reports whether the list has all of its rows, so that those that it lacks are taken back. Called after Accept. Nil: it has.
	Whole func() bool
}

// ListRead describes a list that was read and is not stored yet.
type ListRead struct {
	Rows    int64
	From    []int64          // the runs that brought the figures that the rows replace or follow, those with the most figures first
	Changed []ChangedFigures // compared with these figures, and with the LPs and funds that are known
	Renamed []Renamed        // LPs that it lacks, and may have under another name
	// RenamedFunds are funds of LPs that it lacks, and may have under another name.
	RenamedFunds []RenamedFund
	Brought      int64       // commitments of the same days that documents of the same name brought before
	Lacking      []TakenBack // those of them that the list lacks
}

// TakenBack is a commitment that a list took back: an earlier list of the same name and day had it, and this one lacks it.
type TakenBack struct {
	LP    string `json:"lp"`
	State string `json:"state,omitempty"`
	Fund  string `json:"fund"`
	AsOf  string `json:"as_of"` // YYYY-MM-DD
	// Restored: a document with another name had stated figures of that day, which the earlier list had replaced. They are shown again.
	Restored bool `json:"restored,omitempty"`
}

// Renamed is an LP that a list lacks, while most of its commitments stand under another name or another state there.
type Renamed struct {
	LP, State     string
	Now, NowState string
	Had, Moved    int64 // commitments of the LP, and those of them that the other one has
}

// RenamedFund is a fund of an LP that a list lacks, while a fund that is new for the LP has the same commitment.
type RenamedFund struct{ LP, State, Fund, Now string }

// ChangedFigures counts what is in a list and was in one before, and what of it differs by many times, or stands elsewhere.
type ChangedFigures struct {
	Field             string // and by how much
	Compared, Changed int64
}

// ListResult counts the results of a list's rows.
type ListResult struct {
	New, Changed, Unchanged int64
	Replaced                []int64     // the runs of documents with other names whose figures of the same days the list replaced
	TakenBack               []TakenBack `db:"-"`
}

// Lists keeps lists of commitments.
type Lists interface {
	// Load stores a list in one transaction, or in a savepoint of the transaction of ctx, if there is one. A day that is new to
	// an investment is added; a known one is replaced. Investments that a list does not name stay, unless a document of the same
	// name brought them for the same LP and day. Loading a list again changes nothing.
	//
	// Managers are matched later, by Resolver.Refresh.
	Load(ctx context.Context, list List) (ListResult, error)
}
