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

// Operator corrects advisers and funds of a catalogue. The fields are to be filled in.
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

// draw draws what is corrected, and to what.
func (o *Operator) draw(next *overrides.Override) {
	pick := func(of ...string) string { return of[o.Rand.IntN(len(of))] }
	next.Type, next.EntityID, next.Field = "gp_field", pick(o.CRDs...), pick("legal_name", "website", "primary_strategy", "founded_year")
	var value string
	switch next.Field {
	case "legal_name":
		value = pick("Larkspur Hollow Capital LLC", "Corrected Harbour LLC")
	case "website":
		value = pick("https://larkspur.example.com", "corrected.example.org")
	case "primary_strategy":
		value = pick("buyout", "venture", "hedge", "real-estate")
	}
	switch o.Rand.IntN(4) {
	case 0:
		next.Type, next.EntityID, next.Field = "fund_status", pick(o.Funds...), "status"
		value = pick("active", "liquidating", "closed")
	case 1:
		next.Type, next.Field = "canonical_group", "canonical_gp_id"
		value = pick("alone", pick(o.CRDs...))
	}
	text := strconv.Quote(value)
	if next.Field == "founded_year" {
		text = strconv.Itoa(1900 + o.Rand.IntN(100))
	}
	next.Value = json.RawMessage(text)
}
