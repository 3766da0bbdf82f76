package correction_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/correction"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/testkit/correctiontest"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/overrides"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
)

var now = clock.Fixed(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))

const fundID = "805-0000000011"

// bench is a corrector over the advisers 7001 to 7004 and a fund of the first.
type bench struct {
	*correction.Corrector

	db   *database.DB
	last int64
}

func setup(t *testing.T) *bench {
	t.Helper()
	db := dbtest.New(t)
	loader := load.New(db, now, slog.New(slog.DiscardHandler))
	var filings []*catalogapi.AdviserFiling
	for i, name := range []string{"Alder Point LLC", "Fenwick LP", "Quill Capital", "Sloane Hill"} {
		key := strconv.Itoa(7001 + i)
		filings = append(filings, &catalogapi.AdviserFiling{
			Key: key, FilingID: key, CRD: key, Submitted: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC),
			Statement:   catalogapi.Statement{LegalName: name, City: new("BOSTON"), State: new("MA"), Country: new("United States")},
			Basis:       catalogapi.Basis{Registration: new(string(catalogapi.Registered))},
			FundsListed: true, File: "base.csv", Line: i + 2,
		})
	}
	_, err := loader.LoadDocument(t.Context(), catalogapi.Document{
		Name: "adv.zip", Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(filings...),
		Funds: itertest.Rows(&catalogapi.FundRow{FilingKey: "7001", ReferenceID: "1", FundID: fundID, Name: "Alder I"}),
	}, catalogapi.LoadOptions{RunID: 1, Reject: func(catalogapi.Rejected) {}})
	require.NoError(t, err)
	return &bench{Corrector: correction.New(db, loader, now), db: db}
}

// apply applies an override as the register does: in a transaction.
func (b *bench) apply(t *testing.T, kind, entity, field, value string) (x *overrides.Override, original string, err error) {
	t.Helper()
	b.last++
	x = &overrides.Override{
		ID: b.last, Type: kind, EntityID: entity, Field: field, Value: json.RawMessage(value), Reason: "x", ValidFrom: now.Now().Truncate(24 * time.Hour),
	}
	err = b.db.InTx(t.Context(), func(ctx context.Context) error {
		was, err := b.Apply(ctx, x)
		original = string(was)
		return err
	})
	return x, original, err
}

func (b *bench) undo(t *testing.T, x *overrides.Override) {
	t.Helper()
	require.NoError(t, b.db.InTx(t.Context(), func(ctx context.Context) error { return b.Undo(ctx, x) }))
}

// groups are the heads of the advisers, in their order.
func (b *bench) groups(t *testing.T) []int64 {
	t.Helper()
	heads, err := database.Values[int64](t.Context(), b.db, "look", "SELECT canonical_gp_id FROM catalog.advisers ORDER BY crd", nil)
	require.NoError(t, err)
	return heads
}

// Guarantee: each bad value of each field is refused with the field's name, and nothing of it is kept.
func TestBadCorrections(t *testing.T) {
	t.Parallel()
	b := setup(t)
	notTexts := []string{`null`, `1`, `true`, `[]`, `{}`, `["hedge"]`, `""`, `" "`, `"a\nb"`, `"a\u0000"`, `"\u202ea"`, `"\u200b"`, `x`, ``}
	long := strconv.Quote(strings.Repeat("é", 201))
	for _, c := range []struct {
		kind, entity, field string
		bad                 []string
	}{
		{"gp_field", "7001", "legal_name", append([]string{long}, notTexts...)},
		{"gp_field", "7001", "website", append([]string{`"none"`, `"a b.example"`, `"https://"`, `"www.linkedin.com/company/alder"`, `"x@alder.example"`}, notTexts[1:]...)},
		{"gp_field", "7001", "primary_strategy", append([]string{`"PE"`, `"Hedge"`, `"hedge, venture"`}, notTexts...)},
		{"gp_field", "7001", "founded_year", []string{`null`, `"1999"`, `1599`, `2027`, `-1999`, `1999.5`, `1e400`, `true`, `[1999]`, `19990`}},
		{"fund_status", fundID, "", append([]string{`"Closed"`, `"open"`, `"withdrawn"`}, notTexts...)},
		{"canonical_group", "7001", "", append([]string{`"7001"`, `"0"`, `"07002"`, `"7999"`, `"7002x"`, `"Alone"`, `"12345678901"`, `7002`}, notTexts[1:]...)},
	} {
		for _, value := range c.bad {
			_, _, err := b.apply(t, c.kind, c.entity, c.field, value)
			e := apperr.From(err)
			require.Equal(t, apperr.KindInvalid, e.Kind, "%s %s: %v", c.field, value, err)
			require.Len(t, e.Fields, 1, "%s %s", c.field, value)
			require.Equal(t, "value", e.Fields[0].Field, "%s %s", c.field, value)
		}
	}
	const site = `"https://a.example"`
	for field, list := range map[string][][4]string{
		"field": {
			{"gp_field", "7001", "", site},
			{"gp_field", "7001", "total_aum", `1`},
			{"gp_field", "7001", "Website", site},
			{"gp_field", "7001", "status", `"closed"`},
			{"fund_status", fundID, "website", `"closed"`},
			{"canonical_group", "7001", "website", `"7002"`},
		},
		"entity_id": {
			{"gp_field", "", "website", site},
			{"gp_field", "0", "website", site},
			{"gp_field", "07001", "website", site},
			{"gp_field", "7001 ", "website", site},
			{"gp_field", fundID, "website", site},
			{"gp_field", "12345678901", "website", site},
			{"gp_field", "-7001", "website", site},
			{"gp_field", "７００１", "website", site},
			{"fund_status", "7001", "", `"closed"`},
			{"fund_status", "805-11", "", `"closed"`},
			{"fund_status", fundID + "1", "", `"closed"`},
			{"canonical_group", fundID, "", `"7002"`},
			{"canonical_group", "Alder", "", `null`},
		},
	} {
		for _, c := range list {
			_, _, err := b.apply(t, c[0], c[1], c[2], c[3])
			require.Equal(t, apperr.KindInvalid, apperr.From(err).Kind, "%v: %v", c, err)
			require.Equal(t, field, apperr.From(err).Fields[0].Field, "%v: %v", c, err)
		}
	}
	for _, c := range [][4]string{{"gp_field", "7999", "website", site}, {"fund_status", "805-0000000099", "", `"closed"`}, {"canonical_group", "7999", "", `"7001"`}} {
		_, _, err := b.apply(t, c[0], c[1], c[2], c[3])
		require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind, "%v: %v", c, err)
	}
	kept, err := database.Values[int64](t.Context(), b.db, "count", "SELECT count(*) FROM catalog.overrides UNION ALL SELECT max(seq) FROM catalog.publications", nil)
	require.NoError(t, err)
	require.Equal(t, []int64{0, 1}, kept, "nothing is kept, and nothing published")
}

// Guarantee: each field that can be corrected gets the value, and loses it again.
func TestEveryFieldIsCorrected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, field := range correction.Fields() {
		require.NotEmpty(t, correctiontest.Values[field], "correctiontest.Values has no value of %s", field)
		shown := func() string {
			list, err := database.Values[string](t.Context(), b.db, "look", "SELECT (to_jsonb(a) -> @field)::text FROM catalog.advisers a WHERE crd = '7001'", database.Args{"field": field})
			require.NoError(t, err)
			return list[0]
		}
		before := shown()
		for _, value := range correctiontest.Values[field] {
			x, original, err := b.apply(t, "gp_field", "7001", field, value)
			require.NoError(t, err)
			require.Equal(t, before, original)
			require.Equal(t, value, shown(), "%s is not corrected", field)
			b.undo(t, x)
			require.Equal(t, before, shown())
		}
	}
}

// Guarantee: advisers merged in a chain and in a ring are one organization, of the smallest CRD; alone holds against what filings say alone;
// and taken back in any order, each is its own again.
func TestChainsOfOrganizations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	must := func(entity, value string) *overrides.Override {
		t.Helper()
		x, _, err := b.apply(t, "canonical_group", entity, "", value)
		require.NoError(t, err)
		return x
	}
	own := b.groups(t)
	require.Equal(t, []int64{7001, 7002, 7003, 7004}, own)
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		made := []*overrides.Override{must("7003", `"7004"`), must("7002", `"7003"`), must("7004", `"7002"`)}
		require.Equal(t, []int64{7001, 7002, 7002, 7002}, b.groups(t), "a ring")
		b.undo(t, made[order[0]])
		require.Equal(t, []int64{7001, 7002, 7002, 7002}, b.groups(t), "a chain")
		b.undo(t, made[order[1]])
		require.NotEqual(t, own, b.groups(t), "two")
		b.undo(t, made[order[2]])
		require.Equal(t, own, b.groups(t))
	}
	first := must("7001", `"7002"`)
	_, _, err := b.apply(t, "canonical_group", "7001", "canonical_gp_id", `null`)
	require.ErrorIs(t, err, overrides.ErrActive)
	alone, original, err := b.apply(t, "canonical_group", "7002", "", `null`)
	require.NoError(t, err)
	require.Equal(t, `"7001"`, original)
	require.JSONEq(t, `"alone"`, string(alone.Value))
	require.Equal(t, []int64{7001, 7001, 7003, 7004}, b.groups(t), "what an override merges stays together")
	b.undo(t, first)
	b.undo(t, alone)
	require.Equal(t, own, b.groups(t))
}
