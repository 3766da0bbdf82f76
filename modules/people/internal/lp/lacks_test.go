package lp_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/testkit/itertest"
)

// every field that a list may lack.
var every = []string{
	peopleapi.FieldManager, peopleapi.FieldVintage, peopleapi.FieldContributed, peopleapi.FieldDistributed, peopleapi.FieldNAV, peopleapi.FieldIRR, peopleapi.FieldMultiple,
}

// full is a row of a list with all columns, short one of a list with few.
func full(on string) *peopleapi.Commitment {
	c := commitment("Larkspur Teachers", "MA", "Quill I", on, 10)
	c.EntityType, c.City, c.Country = "endowment", "Boston", "Canada"
	c.Manager, c.Vintage, c.Contributed, c.Distributed = "Quill", new(int16(2019)), new(int64(7)), new(int64(3))
	c.NAV, c.IRR, c.Multiple = new(int64(5)), new(9.5), new(1.25)
	return c
}

func short(on string) *peopleapi.Commitment {
	c := commitment("Larkspur Teachers", "MA", "Quill I", on, 11)
	c.EntityType, c.Country, c.NAV = "", "", nil
	return c
}

func (b *bench) loadLacking(t *testing.T, lacks []string, rows ...*peopleapi.Commitment) peopleapi.ListResult {
	t.Helper()
	b.loaded++
	r, err := b.service.Load(t.Context(), peopleapi.List{RunID: int64(b.loaded), Lacks: lacks, Rows: itertest.Rows(rows...)})
	require.NoError(t, err)
	return r
}

// requireFields compares the fields of want with the answer, or with its first row.
func (b *bench) requireFields(t *testing.T, path, want string) {
	t.Helper()
	var answer struct{ Data json.RawMessage }
	b.get(t, path, &answer)
	var got, fields map[string]any
	if answer.Data[0] == '[' {
		var rows []map[string]any
		require.NoError(t, json.Unmarshal(answer.Data, &rows))
		got = rows[0]
	} else {
		require.NoError(t, json.Unmarshal(answer.Data, &got))
	}
	require.NoError(t, json.Unmarshal([]byte(want), &fields))
	for name, value := range fields {
		require.Contains(t, got, name)
		require.Equal(t, value, got[name], name)
	}
}

// Guarantee: a list without a column takes nothing from what another list states, in whichever order the two are loaded. A
// figure of an earlier date is marked. An empty cell of a column that is there does replace.
func TestAbsentColumnsKeepTheField(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		short, figures, earlier string
		reverse                 bool
	}{
		"the same date":         {short: "2025-06-30", earlier: `null`},
		"a later date":          {short: "2025-12-31", earlier: `{"contributed":"2025-06-30","distributed":"2025-06-30","nav":"2025-06-30","net_irr_percent":"2025-06-30","multiple":"2025-06-30"}`},
		"the short list first":  {short: "2025-12-31", earlier: `{"contributed":"2025-06-30","distributed":"2025-06-30","nav":"2025-06-30","net_irr_percent":"2025-06-30","multiple":"2025-06-30"}`, reverse: true},
		"the same day, reverse": {short: "2025-06-30", earlier: `null`, reverse: true},
	} {
		b := setup(t)
		steps := []func(){
			func() { b.loadLacking(t, nil, full("2025-06-30")) },
			func() { b.loadLacking(t, every, short(c.short)) },
		}
		committed := "11000000"
		if c.reverse {
			slices.Reverse(steps)
			if c.short == "2025-06-30" {
				committed = "10000000"
			}
		}
		for _, step := range steps {
			step()
		}
		b.requireFields(t, "/v1/lps/1", `{"entity_type":"endowment","city":"Boston","country":"Canada","as_of":"`+c.short+`","total_committed":`+committed+`}`)
		b.requireFields(t, "/v1/lps/1/investments", `{"fund_name":"Quill I","gp_name":"Quill","vintage_year":2019,"committed":`+committed+`,
			"contributed":7,"distributed":3,"nav":5,"net_irr_percent":9.5,"multiple":1.25,"as_of":"`+c.short+`","match":null,"earlier_figures":`+c.earlier+`}`)
		last := map[bool]*peopleapi.Commitment{false: short(c.short), true: full("2025-06-30")}[c.reverse]
		before := b.dump(t)
		require.Equal(t, peopleapi.ListResult{Unchanged: 1}, b.loadLacking(t, map[bool][]string{false: every}[c.reverse], last), name)
		require.Equal(t, before, b.dump(t), name)
	}
}

// Guarantee: where a column is there, an empty cell replaces the figure.
func TestEmptyCellsReplace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.loadLacking(t, nil, full("2025-06-30"))
	b.loadLacking(t, []string{peopleapi.FieldIRR}, short("2025-12-31"))
	b.requireFields(t, "/v1/lps/1/investments", `{"gp_name":null,"vintage_year":null,"nav":null,"net_irr_percent":9.5,"earlier_figures":{"net_irr_percent":"2025-06-30"}}`)
}

// Guarantee: the kind of an LP is null until a list states it. A column name with "pension" is used only if nothing else states
// it.
func TestKindOfLP(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kind := func(want string) {
		t.Helper()
		b.requireFields(t, "/v1/lps/1", `{"country":"United States","entity_type":`+want+`}`)
	}
	b.load(t, short("2025-06-30"))
	kind("null")
	pension := short("2025-06-30")
	pension.Pension = true
	b.load(t, pension)
	kind(`"pension"`)
	stated := short("2025-06-30")
	stated.EntityType = "corporate"
	b.load(t, stated)
	kind(`"corporate"`)
	b.load(t, pension)
	kind(`"corporate"`)
}

// Guarantee: a list is compared with the lists of the figures that it replaces or follows, and with no other.
func TestListsBefore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var from []int64
	load := func(rows ...*peopleapi.Commitment) {
		t.Helper()
		b.loaded++
		_, err := b.service.Load(t.Context(), peopleapi.List{RunID: int64(b.loaded), Rows: itertest.Rows(rows...), Accept: func(_ context.Context, read peopleapi.ListRead) error {
			from = read.From
			return nil
		}})
		require.NoError(t, err)
	}
	load(commitment("Larkspur Teachers", "MA", "Quill I", "2025-06-30", 1), commitment("Larkspur Teachers", "MA", "Quill II", "2025-06-30", 1))
	require.Empty(t, from)
	load(commitment("Mossgate Pension", "OR", "Quill I", "2025-06-30", 1))
	require.Empty(t, from, "another LP")
	load(commitment("Larkspur Teachers", "MA", "Quill II", "2025-12-31", 2), commitment("Larkspur Teachers", "MA", "Quill IV", "2025-12-31", 2))
	require.Equal(t, []int64{1}, from)
	load(commitment("Larkspur Teachers", "MA", "Quill I", "2026-06-30", 3), commitment("Larkspur Teachers", "MA", "Quill II", "2026-06-30", 3),
		commitment("Larkspur Teachers", "MA", "Quill IV", "2026-06-30", 3))
	require.Equal(t, []int64{3, 1}, from)
	load(commitment("Larkspur Teachers", "MA", "Quill II", "2025-09-30", 3))
	require.Equal(t, []int64{1}, from, "later figures do not count")
}

// Guarantee: figures are compared with those that they replace or follow. Figures of other LPs and later days, and zeros, do not count.
func TestChangedFigures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	row := func(fund, on string, committed, nav int64) *peopleapi.Commitment {
		c := commitment("Larkspur Teachers", "MA", fund, on, committed)
		c.NAV, c.Contributed, c.Distributed, c.IRR, c.Multiple, c.Vintage = &nav, nil, nil, new(9.5), nil, nil
		return c
	}
	load := func(rows ...*peopleapi.Commitment) (found []peopleapi.ChangedFigures) {
		t.Helper()
		b.loaded++
		_, err := b.service.Load(t.Context(), peopleapi.List{RunID: int64(b.loaded), Rows: itertest.Rows(rows...), Accept: func(_ context.Context, read peopleapi.ListRead) error {
			found = read.Changed
			return nil
		}})
		require.NoError(t, err)
		return found
	}
	require.Empty(t, load(row("Quill I", "2025-06-30", 10, 5), row("Quill II", "2025-06-30", 20, 0)))
	changed := []peopleapi.ChangedFigures{
		{Field: "commitments.committed", Compared: 2, Changed: 1},
		{Field: "commitments.committed, 100 times", Compared: 2, Changed: 1},
	}
	require.Equal(t, changed, load(row("Quill I", "2025-12-31", 10, 6), row("Quill II", "2025-12-31", 20_000, 90)), "of a later day")
	changed = append(changed, peopleapi.ChangedFigures{Field: "commitments.committed, of the same day", Compared: 2, Changed: 2})
	require.Equal(t, changed, load(row("Quill I", "2025-12-31", 12, 6), row("Quill II", "2025-12-31", 20, 0)), "of the same day")
	require.Empty(t, load(row("Quill I", "2025-03-31", 10_000, 5)), "of an earlier day")
}
