package lp

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
)

type store struct{ db *database.DB }

// lpRow is people.lps.
type lpRow struct {
	ID              int64  `gorm:"primaryKey;->"`
	NameKey         string `db:"-"`
	State           string
	Name            string
	EntityType      *string
	City            *string
	Country         *string
	InvestmentCount int32
	TotalCommitted  *int64
	AsOf            time.Time `gorm:"type:date"`
	CreatedAt       time.Time `db:"-"`
}

// TableName is the table with its schema.
func (lpRow) TableName() string { return "people.lps" }

func (r *lpRow) shown() LP {
	return LP{
		ID: r.ID, Name: r.Name, EntityType: r.EntityType, City: r.City, State: stated(r.State), Country: r.country(),
		InvestmentCount: int(r.InvestmentCount), TotalCommitted: r.TotalCommitted, AsOf: day(r.AsOf),
	}
}

// country is as a list states it, or follows from the state.
//
// Spec: not shown; lists of American pensions state the state only.
func (r *lpRow) country() *string {
	if r.Country == nil && slices.Contains(states, r.State) {
		return new("United States")
	}
	return r.Country
}

var states = strings.Fields("AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY PR")

// stated is a text, or nil if it is empty.
func stated(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// investmentRow is people.lp_investments.
type investmentRow struct {
	ID              int64 `gorm:"primaryKey;->"`
	LPID            int64 `gorm:"column:lp_id"`
	FundKey         string
	MatchMethod     *string
	MatchCRD        *string `gorm:"column:match_crd"`
	MatchFundID     *string `gorm:"column:match_fund_id"`
	MatchConfidence *float64
	FoundMethod     *string // by the rules; the operator's match replaces it, if there is one
	FoundCRD        *string `gorm:"column:found_crd"`
	FoundFundID     *string `gorm:"column:found_fund_id"`
	FoundConfidence *float64
}

// TableName is the table with its schema.
func (investmentRow) TableName() string { return "people.lp_investments" }

// commitmentRow is people.lp_commitments.
type commitmentRow struct {
	InvestmentID  int64     `gorm:"primaryKey" db:"-"`
	AsOf          time.Time `gorm:"primaryKey;type:date"`
	Latest        bool      `db:"-"`
	FundName      string
	GPName        *string `gorm:"column:gp_name"`
	VintageYear   *int16
	Committed     *int64
	Contributed   *int64
	Distributed   *int64
	NAV           *int64   `gorm:"column:nav"`
	NetIRRPercent *float64 `gorm:"column:net_irr_percent"`
	Multiple      *float64
	Lacks         []string `gorm:"type:text[]" db:"-"` // fields for which no list of that day has a column
	RunID         int64    `db:"-"`
}

// TableName is the table with its schema.
func (commitmentRow) TableName() string { return "people.lp_commitments" }

// Models are the structs that mirror tables, for the test that compares the two.
func Models() []any { return []any{lpRow{}, investmentRow{}, commitmentRow{}} }

// search is a query for LPs. Zero values do not filter.
type search struct {
	Q              string
	EntityType     string
	MinInvestments int
	CRD            string
	Sort           string
	Descending     bool
	Limit, Offset  int
}

var (
	//go:embed search.sql
	searchSQL string
	//go:embed investments.sql
	investmentsSQL string
)

const countSQL = `SELECT count(*)
FROM people.lps l
WHERE (@q = '' OR NOT EXISTS (SELECT FROM unnest(string_to_array(@q, ' ')) AS word WHERE strpos(l.name_key, word) = 0))
	AND (@entity_type = '' OR l.entity_type = @entity_type)
	AND l.investment_count >= @min_investments::integer
	AND (@crd = '' OR EXISTS (
		SELECT FROM people.lp_investments i WHERE i.lp_id = l.id AND i.match_crd = @crd AND i.match_confidence >= 0.8
	))`

const getSQL = `SELECT id, state, name, entity_type, city, country, investment_count, total_committed, as_of
FROM people.lps
WHERE id = @id`

// search returns a page of LPs, and how many there are in all.
func (s *store) search(ctx context.Context, q search) (page []lpRow, total int, err error) {
	args := database.Args{
		"q": q.Q, "entity_type": q.EntityType, "min_investments": q.MinInvestments, "crd": q.CRD,
	}
	counts, err := database.Values[int64](ctx, s.db, "count LPs", countSQL, args)
	if err != nil {
		return nil, 0, err
	}
	args["sort"], args["descending"], args["limit"], args["offset"] = q.Sort, q.Descending, q.Limit, q.Offset
	page, err = database.Select[lpRow](ctx, s.db, "search LPs", searchSQL, args)
	return page, int(counts[0]), err
}

// get returns one LP.
func (s *store) get(ctx context.Context, id int64) (lpRow, error) {
	rows, err := database.Select[lpRow](ctx, s.db, "read an LP", getSQL, database.Args{"id": id})
	if err != nil {
		return lpRow{}, err
	}
	if len(rows) == 0 {
		return lpRow{}, apperr.NotFound("LP %d not found", id)
	}
	return rows[0], nil
}

// matchedRow is an investment with its latest figures.
type matchedRow struct {
	ID int64
	commitmentRow
	ContributedAsOf   *time.Time
	DistributedAsOf   *time.Time
	NAVAsOf           *time.Time `db:"nav_as_of"`
	NetIRRPercentAsOf *time.Time
	MultipleAsOf      *time.Time
	MatchMethod       *string
	MatchCRD          *string
	MatchFundID       *string
	MatchConfidence   *float64
}

func (r *matchedRow) shown() Investment {
	i := Investment{
		ID: r.ID, FundName: r.FundName, GPName: r.GPName, VintageYear: r.VintageYear, Committed: r.Committed, Contributed: r.Contributed,
		Distributed: r.Distributed, NAV: r.NAV, NetIRRPercent: r.NetIRRPercent, Multiple: r.Multiple, AsOf: day(r.AsOf),
	}
	i.EarlierFigures = r.earlier()
	// Without a CRD it is the operator's statement that there is no match.
	if r.MatchMethod != nil && r.MatchConfidence != nil && *r.MatchConfidence >= confident {
		i.GPCRD, i.FundID, i.Match = r.MatchCRD, r.MatchFundID, &Match{Method: *r.MatchMethod, Confidence: *r.MatchConfidence}
	}
	return i
}

// earlier returns the dates of the figures that are older than the others.
func (r *matchedRow) earlier() map[string]string {
	var dates map[string]string
	for _, f := range []struct {
		name  string
		given bool
		asOf  *time.Time
	}{
		{peopleapi.FieldContributed, r.Contributed != nil, r.ContributedAsOf},
		{peopleapi.FieldDistributed, r.Distributed != nil, r.DistributedAsOf},
		{peopleapi.FieldNAV, r.NAV != nil, r.NAVAsOf},
		{peopleapi.FieldIRR, r.NetIRRPercent != nil, r.NetIRRPercentAsOf},
		{peopleapi.FieldMultiple, r.Multiple != nil, r.MultipleAsOf},
	} {
		if f.given && f.asOf.Before(r.AsOf) {
			if dates == nil {
				dates = make(map[string]string)
			}
			dates[f.name] = day(*f.asOf)
		}
	}
	return dates
}

// investments returns a page of an LP's investments by name of fund.
func (s *store) investments(ctx context.Context, id int64, limit, offset int) ([]matchedRow, error) {
	return database.Select[matchedRow](ctx, s.db, "read the investments of an LP", investmentsSQL, database.Args{"id": id, "limit": limit, "offset": offset})
}
