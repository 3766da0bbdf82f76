package lp

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
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
	CommittedKnown  int32
	AsOf            time.Time `gorm:"type:date"`
	CreatedAt       time.Time `db:"-"`
}

// TableName is the table with its schema.
func (lpRow) TableName() string { return "people.lps" }

func (r *lpRow) shown() LP {
	return LP{
		ID: r.ID, Name: r.Name, EntityType: r.EntityType, City: r.City, State: stated(r.State), Country: r.country(),
		InvestmentCount: int(r.InvestmentCount), TotalCommitted: r.TotalCommitted, CommittedKnown: int(r.CommittedKnown), AsOf: day(r.AsOf),
	}
}

// country is as a list states it, or follows from the state.
//
// Spec: not shown; lists of American pensions state the state only.
func (r *lpRow) country() *string {
	if r.Country == nil && catalogapi.USStates[r.State] != "" {
		return new("United States")
	}
	return r.Country
}

// stated is a text, or nil if it is empty.
func stated(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// listingRow is people.lp_listings.
type listingRow struct {
	LPID       int64     `gorm:"column:lp_id;primaryKey"`
	AsOf       time.Time `gorm:"primaryKey;type:date"`
	RunID      int64
	Name       string
	EntityType *string
	Pension    bool
	City       *string
	Country    *string
}

// TableName is the table with its schema.
func (listingRow) TableName() string { return "people.lp_listings" }

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
	InvestmentID  int64     `gorm:"primaryKey"`
	AsOf          time.Time `gorm:"primaryKey;type:date"`
	FundName      string
	GPName        *string `gorm:"column:gp_name"`
	VintageYear   *int16
	Committed     *int64
	Contributed   *int64
	Distributed   *int64
	NAV           *int64   `gorm:"column:nav"`
	NetIRRPercent *float64 `gorm:"column:net_irr_percent"`
	Multiple      *float64
	Lacks         []string `gorm:"type:text[]"` // fields for which no list of that day has a column
	RunID         int64
}

// TableName is the table with its schema.
func (commitmentRow) TableName() string { return "people.lp_commitments" }

// Models are the structs that mirror tables, for the test that compares the two.
func Models() []any {
	return []any{lpRow{}, listingRow{}, investmentRow{}, commitmentRow{}, figuresRow{}}
}

// search is a query for LPs. Zero values do not filter.
type search struct {
	filter
	Q              string
	EntityType     string
	MinInvestments int
	window
}

// window is a part of a list in its order. Without a limit it is the rest of the list.
type window struct {
	Sort       string
	Descending bool
	Limit      *int
	Offset     int
}

var (
	//go:embed search.sql
	searchSQL string
	//go:embed commitments.sql
	commitmentsSQL string
)

// The filters of commitments that both statements have.
var filters = strings.NewReplacer("{{asked}}", `(@crd = '' OR i.match_crd = @crd)
	AND (@fund_id = '' OR i.match_fund_id = @fund_id)
	AND (@vintage_min::integer IS NULL OR f.vintage_year >= @vintage_min) AND (@vintage_max::integer IS NULL OR f.vintage_year <= @vintage_max)
	AND (@min_committed::bigint IS NULL OR f.committed >= @min_committed)`, "{{strategy}}", `LEFT JOIN LATERAL (
		SELECT p.strategy FROM catalog.pub_fund p WHERE @strategies::text[] IS NOT NULL AND p.fund_id = i.match_fund_id OFFSET 0
	) p ON true`)

const getSQL = `SELECT id, state, name, entity_type, city, country, investment_count, total_committed, committed_known, as_of
FROM people.lps
WHERE id = @id AND investment_count > 0`

// args are the arguments of a filter and a window.
func (f *filter) args(w *window) database.Args {
	return database.Args{
		"lp": f.LP, "crd": f.CRD, "fund_id": f.FundID, "strategies": f.Strategies, "vintage_min": f.VintageMin, "vintage_max": f.VintageMax,
		"min_committed": f.MinCommitted, "entity_types": f.EntityTypes, "states": f.States,
		"sort": w.Sort, "descending": w.Descending, "limit": w.Limit, "offset": w.Offset,
	}
}

// ofCommitments reports whether the filter asks for something of commitments, not only of LPs.
func (f *filter) ofCommitments() bool {
	return f.CRD != "" || f.FundID != "" || f.Strategies != nil || f.VintageMin != nil || f.VintageMax != nil || f.MinCommitted != nil
}

const unheldSQL = `SELECT s.state FROM unnest(@states::text[]) WITH ORDINALITY AS s (state, n)
WHERE NOT EXISTS (SELECT FROM people.lps l WHERE upper(l.state) = s.state AND l.investment_count > 0)
ORDER BY s.n`

// unheld returns those of some states, in capitals, that no LP has.
func (s *store) unheld(ctx context.Context, states []string) ([]string, error) {
	return database.Values[string](ctx, s.db, "look for states of LPs", unheldSQL, database.Args{"states": states})
}

// search returns a page of LPs, and how many there are in all.
func (s *store) search(ctx context.Context, q search) (list []lpRow, total int, err error) {
	type found struct {
		Total int
		lpRow
	}
	args := q.args(&q.window)
	args["q"], args["entity_type"], args["min_investments"], args["of_commitments"] = q.Q, q.EntityType, q.MinInvestments, q.ofCommitments()
	rows, err := database.Select[found](ctx, s.db, "search LPs", filters.Replace(searchSQL), args)
	if err != nil {
		return nil, 0, err
	}
	for i := range rows {
		if rows[i].ID != 0 {
			list = append(list, rows[i].lpRow)
		}
	}
	return list, rows[0].Total, nil
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

// figuresRow is people.lp_figures.
type figuresRow struct {
	InvestmentID      int64     `gorm:"primaryKey" db:"-"`
	AsOf              time.Time `gorm:"type:date"`
	FundName          string
	Committed         *int64
	GPName            *string `gorm:"column:gp_name"`
	VintageYear       *int16
	Contributed       *int64
	ContributedAsOf   *time.Time `gorm:"type:date"`
	Distributed       *int64
	DistributedAsOf   *time.Time `gorm:"type:date"`
	NAV               *int64     `gorm:"column:nav"`
	NAVAsOf           *time.Time `gorm:"column:nav_as_of;type:date" db:"nav_as_of"`
	NetIRRPercent     *float64   `gorm:"column:net_irr_percent"`
	NetIRRPercentAsOf *time.Time `gorm:"column:net_irr_percent_as_of;type:date"`
	Multiple          *float64
	MultipleAsOf      *time.Time `gorm:"type:date"`
}

// TableName is the table with its schema.
func (figuresRow) TableName() string { return "people.lp_figures" }

// matchedRow is an investment with its newest figures, its LP and its fund.
type matchedRow struct {
	ID int64
	figuresRow
	MatchMethod     *string
	MatchCRD        *string
	MatchFundID     *string
	MatchConfidence *float64
	Strategy        *string
	FundVintageYear *int32
	LPID            int64   `db:"lp_id"`
	LPName          string  `db:"lp_name"`
	LPType          *string `db:"lp_type"`
	LPState         string  `db:"lp_state"`
}

// totals are of all commitments that match.
type totals struct {
	Total          int
	Unmatched      int
	CommittedKnown int
	CommittedSum   *int64
}

func (r *matchedRow) investor() Investor {
	return Investor{ID: r.LPID, Name: r.LPName, EntityType: r.LPType, State: stated(r.LPState)}
}

func (r *matchedRow) shown() Investment {
	i := Investment{
		ID: r.ID, FundName: r.FundName, GPName: r.GPName, VintageYear: r.VintageYear, Committed: r.Committed, Contributed: r.Contributed,
		Distributed: r.Distributed, NAV: r.NAV, NetIRRPercent: r.NetIRRPercent, Multiple: r.Multiple, AsOf: day(r.AsOf),
	}
	i.EarlierFigures = r.earlier()
	// Without a CRD it is the operator's statement that there is no match.
	if r.MatchMethod != nil && r.MatchConfidence != nil {
		i.GPCRD, i.FundID, i.Match = r.MatchCRD, r.MatchFundID, &Match{Method: *r.MatchMethod, Confidence: *r.MatchConfidence}
	}
	i.FundVintageYear, i.Strategy = r.FundVintageYear, r.Strategy
	if r.Strategy != nil {
		i.StrategyBasis = new("fund")
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

// commitments returns a part of the commitments that match, and the totals of all.
func (s *store) commitments(ctx context.Context, f filter, w window) (list []matchedRow, t totals, err error) {
	type found struct {
		totals
		matchedRow
	}
	rows, err := database.Select[found](ctx, s.db, "read commitments", filters.Replace(commitmentsSQL), f.args(&w))
	if err != nil {
		return nil, totals{}, err
	}
	for i := range rows {
		if rows[i].ID != 0 {
			list = append(list, rows[i].matchedRow)
		}
	}
	return list, rows[0].totals, nil
}

// isFund refuses a fund that is not in the catalog.
func (s *store) isFund(ctx context.Context, id string) error {
	const statement = "SELECT fund_id FROM catalog.pub_fund WHERE fund_id = @id"
	return s.exists(ctx, statement, id, apperr.NotFound("Fund %s not found", id))
}

// isGP refuses a manager that is not in the catalog.
func (s *store) isGP(ctx context.Context, crd string) error {
	const statement = "SELECT crd FROM catalog.pub_gp WHERE crd = @id"
	return s.exists(ctx, statement, crd, apperr.NotFound(catalogapi.NoGP, crd))
}

func (s *store) exists(ctx context.Context, statement, id string, refusal error) error {
	list, err := database.Values[string](ctx, s.db, "look into the catalog", statement, database.Args{"id": id})
	if err == nil && len(list) == 0 {
		err = refusal
	}
	return err
}
