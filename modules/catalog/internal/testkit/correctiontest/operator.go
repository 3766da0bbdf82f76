// Package correctiontest is an operator for tests who corrects at random.
package correctiontest

import (
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/correction"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
)

// Operator corrects advisers and funds of a catalog. The fields are to be filled in.
type Operator struct {
	DB          *database.DB
	Rand        *rand.Rand
	CRDs, Funds []string
	Undoes      bool // it takes corrections back, too

	Made, Undone int // how many

	last   int64
	active []overrides.Override
}

// Act makes a correction on a day, or takes one back. Where the adviser or fund is not known yet, it does nothing.
func (o *Operator) Act(t *testing.T, when time.Time) {
	t.Helper()
	loader := load.New(o.DB, clock.Fixed(when), slog.New(slog.DiscardHandler))
	corrector := correction.New(o.DB, loader, clock.Fixed(when))
	day := when.UTC().Truncate(24 * time.Hour)
	o.last++
	next := overrides.Override{ID: o.last, ValidFrom: day, Reason: "x"}
	o.draw(&next)
	i := slices.IndexFunc(o.active, func(a overrides.Override) bool { return a.EntityID == next.EntityID && a.Field == next.Field })
	if i >= 0 && !o.Undoes {
		return
	}
	if i >= 0 {
		require.NoError(t, corrector.Undo(t.Context(), &o.active[i]))
		o.active = slices.Delete(o.active, i, i+1)
		o.Undone++
		return
	}
	_, err := corrector.Apply(t.Context(), &next)
	if kind := apperr.From(err).Kind; err != nil && (kind == apperr.KindNotFound || kind == apperr.KindInvalid && next.Type == "canonical_group") {
		return
	}
	require.NoError(t, err)
	o.active = append(o.active, next)
	o.Made++
}

// Values are values of each field of a GP, in JSON, in the form in which they are stored.
var Values = map[string][]string{
	"founded_year":     {"1901", "1950", "1999"},
	"legal_name":       {`"Larkspur Hollow Capital LLC"`, `"Corrected Harbour LLC"`},
	"primary_strategy": {`"buyout"`, `"venture"`, `"hedge"`, `"real-estate"`},
	"website":          {`"https://larkspur.example.com"`, `"https://corrected.example.org"`},
}

// draw draws what is corrected, and to what.
func (o *Operator) draw(next *overrides.Override) {
	pick := func(of ...string) string { return of[o.Rand.IntN(len(of))] }
	next.Type, next.EntityID, next.Field = "gp_field", pick(o.CRDs...), pick(correction.Fields()...)
	value := pick(Values[next.Field]...)
	switch o.Rand.IntN(4) {
	case 0:
		next.Type, next.EntityID, next.Field = "fund_status", pick(o.Funds...), "status"
		value = pick(`"active"`, `"liquidating"`, `"closed"`)
	case 1:
		next.Type, next.Field = "canonical_group", "canonical_gp_id"
		value = strconv.Quote(pick("alone", pick(o.CRDs...)))
	}
	next.Value = json.RawMessage(value)
}
