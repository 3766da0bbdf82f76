package change_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/analytics/internal/change"
	"gpatlas/modules/catalog/catalogapi"
)

func TestChanges(t *testing.T) {
	t.Parallel()
	moreAUM := change.FieldChange{
		Field: "total_aum", Before: int64(2_000_000_000), After: int64(2_500_000_000),
		ChangeAmount: new(int64(500_000_000)), ChangePercent: new(25.0),
	}
	toAustin := change.FieldChange{Field: "city", Before: "Boston", After: "Austin"}
	record := func(on, accession, form string, fields ...change.FieldChange) change.Record {
		return change.Record{FilingDate: on, AccessionNumber: accession, FilingType: form, FieldsChanged: fields}
	}
	for name, c := range map[string]struct {
		states []catalogapi.AdviserState
		want   []change.Record
	}{
		"no filing":  {nil, []change.Record{}},
		"one filing": {[]catalogapi.AdviserState{state("A1", "2024-03-28", nil)}, []change.Record{}},
		"a filing that changes nothing is left out": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil), state("A2", "2025-03-28", nil), state("A3", "2026-03-28", aum(2_500_000_000)),
			},
			[]change.Record{record("2026-03-28", "A3", "ADV/A", moreAUM)},
		},
		"every field": {
			[]catalogapi.AdviserState{state("A1", "2025-03-28", nil), state("A2", "2026-03-28", func(s *catalogapi.AdviserState) {
				s.TotalAUM, s.EmployeeCount, s.FundCount, s.TotalGAV = new(int64(2_500_000_000)), new(int64(50)), new(int64(2)), new(int64(900_000_000))
				s.PrimaryStrategy, s.City, s.State, s.Country, s.LegalName = "growth", "Toronto", "ON", "Canada", "Harbor Ridge North Inc."
			})},
			[]change.Record{record(
				"2026-03-28", "A2", "ADV/A", moreAUM,
				change.FieldChange{Field: "employee_count", Before: int64(40), After: int64(50), ChangeAmount: new(int64(10)), ChangePercent: new(25.0)},
				change.FieldChange{Field: "fund_count", Before: int64(3), After: int64(2), ChangeAmount: new(int64(-1)), ChangePercent: new(-33.33)},
				change.FieldChange{
					Field: "total_gav", Before: int64(1_800_000_000), After: int64(900_000_000),
					ChangeAmount: new(int64(-900_000_000)), ChangePercent: new(-50.0),
				},
				change.FieldChange{Field: "primary_strategy", Before: "buyout", After: "growth"},
				change.FieldChange{Field: "city", Before: "Boston", After: "Toronto"},
				change.FieldChange{Field: "state", Before: "MA", After: "ON"},
				change.FieldChange{Field: "country", Before: "United States", After: "Canada"},
				change.FieldChange{Field: "legal_name", Before: "Harbor Ridge Capital Partners LLC", After: "Harbor Ridge North Inc."},
			)},
		},
		"what a document has no column for is no change": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil),
				state("A2", "2025-03-28", func(s *catalogapi.AdviserState) {
					s.City, s.State, s.TotalAUM, s.Unstated = "Austin", "", nil, []string{"state", "total_aum"}
				}),
				state("A3", "2026-03-28", func(s *catalogapi.AdviserState) { s.City, s.State = "Austin", "TX" }),
				state("A4", "2026-04-28", func(s *catalogapi.AdviserState) { s.City, s.State = "Austin", "" }),
			},
			[]change.Record{
				record("2025-03-28", "A2", "ADV/A", toAustin),
				record("2026-03-28", "A3", "ADV/A", change.FieldChange{Field: "state", Before: "MA", After: "TX"}),
			},
		},
		"a place that is omitted is no change": { // what is stated later is compared with what was stated last
			[]catalogapi.AdviserState{
				state("A1", "2023-03-28", nil),
				state("A2", "2024-03-28", func(s *catalogapi.AdviserState) { s.City, s.State, s.Country = "London", "", "" }),
				state("A3", "2025-03-28", func(s *catalogapi.AdviserState) { s.City, s.State, s.Country = "", "", "United Kingdom" }),
				state("A4", "2026-03-28", func(s *catalogapi.AdviserState) { s.City, s.State, s.Country = "London", "", "" }),
				state("A5", "2026-04-28", nil),
			},
			[]change.Record{
				record("2024-03-28", "A2", "ADV/A", change.FieldChange{Field: "city", Before: "Boston", After: "London"}),
				record("2025-03-28", "A3", "ADV/A", change.FieldChange{Field: "country", Before: "United States", After: "United Kingdom"}),
				record(
					"2026-04-28", "A5", "ADV/A", change.FieldChange{Field: "city", Before: "London", After: "Boston"},
					change.FieldChange{Field: "country", Before: "United Kingdom", After: "United States"},
				),
			},
		},
		"nor one that evidence of its day omits": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil),
				state("R2", "2025-03-28", from(catalogapi.SourceRoster, func(s *catalogapi.AdviserState) { s.Country = "Canada" })),
				state("A2", "2025-03-28", func(s *catalogapi.AdviserState) { s.City, s.Country = "Austin", "" }),
				state("F2", "2025-03-28", from(catalogapi.SourceFeed, func(s *catalogapi.AdviserState) { s.City, s.Country = "", "" })),
			},
			[]change.Record{record("2025-03-28", "A2", "ADV/A", toAustin, change.FieldChange{Field: "country", Before: "United States", After: "Canada"})},
		},
		"what is not known has no amount, what was zero no percent": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", func(s *catalogapi.AdviserState) { s.TotalAUM, s.FundCount, s.City = nil, new(int64(0)), "" }),
				state("A2", "2025-03-28", nil),
				state("A3", "2026-03-28", func(s *catalogapi.AdviserState) { s.EmployeeCount, s.State = nil, "" }),
			},
			[]change.Record{
				record(
					"2025-03-28", "A2", "ADV/A", change.FieldChange{Field: "total_aum", After: int64(2_000_000_000)},
					change.FieldChange{Field: "fund_count", Before: int64(0), After: int64(3), ChangeAmount: new(int64(3))},
					change.FieldChange{Field: "city", After: "Boston"},
				),
				record("2026-03-28", "A3", "ADV/A", change.FieldChange{Field: "employee_count", Before: int64(40)}),
			},
		},
		"differences stay in range": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", aum(-2)), state("A2", "2025-03-28", aum(math.MaxInt64)), state("A3", "2026-03-28", aum(-2)),
			},
			[]change.Record{
				record("2025-03-28", "A2", "ADV/A", change.FieldChange{
					Field: "total_aum", Before: int64(-2), After: int64(math.MaxInt64), ChangeAmount: new(int64(math.MaxInt64)),
					ChangePercent: change.Percent(new(int64(-2)), new(int64(math.MaxInt64))),
				}),
				record("2026-03-28", "A3", "ADV/A", change.FieldChange{
					Field: "total_aum", Before: int64(math.MaxInt64), After: int64(-2), ChangeAmount: new(int64(math.MinInt64)), ChangePercent: new(-100.0),
				}),
			},
		},
		"letter case alone is no change": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil), state("R2", "2025-03-28", from(catalogapi.SourceRoster, city("BOSTON"))),
				state("A3", "2026-03-28", city("Austin")),
			},
			[]change.Record{record("2026-03-28", "A3", "ADV/A", toAustin)},
		},
		"several filings of one day": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil), state("A2", "2025-03-28", city("Austin")), state("A3", "2025-03-28", nil),
			},
			[]change.Record{
				record("2025-03-28", "A2", "ADV/A", toAustin),
				record("2025-03-28", "A3", "ADV/A", change.FieldChange{Field: "city", Before: "Austin", After: "Boston"}),
			},
		},
		"evidence of a filing that is there is no step": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil), state("R2", "2025-03-28", from(catalogapi.SourceRoster, aum(2_500_000_000))),
				state("A2", "2025-03-28", func(s *catalogapi.AdviserState) { s.TotalAUM, s.City = new(int64(2_500_000_000)), "Austin" }),
			},
			[]change.Record{record("2025-03-28", "A2", "ADV/A", moreAUM, toAustin)},
		},
		"what evidence adds after the filing is the filing's": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil), state("A2", "2025-03-28", aum(2_500_000_000)),
				state("F2", "2025-03-28", from(catalogapi.SourceFeed, func(s *catalogapi.AdviserState) { s.TotalAUM, s.City = new(int64(2_500_000_000)), "Austin" })),
				state("A3", "2026-03-28", city("Austin")),
			},
			[]change.Record{
				record("2025-03-28", "A2", "ADV/A", moreAUM, toAustin),
				record("2026-03-28", "A3", "ADV/A", change.FieldChange{
					Field: "total_aum", Before: int64(2_500_000_000), After: int64(2_000_000_000), ChangeAmount: new(int64(-500_000_000)), ChangePercent: new(-20.0),
				}),
			},
		},
		"the best evidence of a day without a form": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil), state("L2", "2025-03-28", from(catalogapi.SourceFundList, city("Austin"))),
				state("R2", "2025-03-28", from(catalogapi.SourceRoster, city("Austin"))),
			},
			[]change.Record{record("2025-03-28", "R2", "ADV/A", toAustin)},
		},
		"a withdrawal is a filing of its own": {
			[]catalogapi.AdviserState{
				state("A1", "2024-03-28", nil), state("R2", "2025-03-28", from(catalogapi.SourceRoster, city("Austin"))),
				state("W2", "2025-03-28", from(catalogapi.SourceADVW, func(s *catalogapi.AdviserState) { s.City, s.FundCount = "Austin", new(int64(0)) })),
			},
			[]change.Record{
				record("2025-03-28", "R2", "ADV/A", toAustin),
				record("2025-03-28", "W2", "ADV-W", change.FieldChange{
					Field: "fund_count", Before: int64(3), After: int64(0), ChangeAmount: new(int64(-3)), ChangePercent: new(-100.0),
				}),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, change.Changes(c.states))
		})
	}
}

// The timeline belongs to its giver.
func TestChangesLeaveTheTimelineAlone(t *testing.T) {
	t.Parallel()
	states := func() []catalogapi.AdviserState {
		return []catalogapi.AdviserState{
			state("A1", "2024-03-28", nil), state("R2", "2025-03-28", from(catalogapi.SourceRoster, city("AUSTIN"))),
			state("A2", "2025-03-28", city("Austin")), state("F2", "2025-03-28", from(catalogapi.SourceFeed, city("TULSA"))),
		}
	}
	given := states()
	require.NotEmpty(t, change.Changes(given))
	require.Equal(t, states(), given)
}
