package lp_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/lp"
	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/chargetest"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

// bench is the slice over a catalog.
type bench struct {
	db      *database.DB
	clock   *clocktest.Clock
	service *lp.Service
	loader  catalogapi.Loader
	host    *httpapitest.Host
	meter   *chargetest.Meter
	loaded  int
}

var ada = &auth.Principal{Kind: auth.Session, UserID: 7}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{db: dbtest.New(t), clock: clocktest.New(time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)), meter: &chargetest.Meter{CallersOnly: true}}
	b.service, b.loader = lp.NewService(b.db, b.clock, slog.New(slog.DiscardHandler)), catalogtest.NewLoader(b.db, b.clock)
	b.host = httpapitest.NewMetered(t, b.meter, lp.Routes(b.service, catalogtest.Vocabulary())...)
	return b
}

// commitment is one with what the tests do not care for filled in: "name" or "name, state" of an LP, a fund, a day and millions.
func commitment(investor, state, fund, on string, millions int64) *peopleapi.Commitment {
	day, err := time.Parse(time.DateOnly, on)
	if err != nil {
		panic(err)
	}
	return &peopleapi.Commitment{
		LP: investor, State: state, EntityType: "pension", Country: "United States", Fund: fund, AsOf: day, Committed: new(millions * 1_000_000), NAV: new(int64(-1)),
	}
}

func (b *bench) load(t *testing.T, rows ...*peopleapi.Commitment) peopleapi.ListResult {
	t.Helper()
	b.loaded++
	r, err := b.service.Load(t.Context(), peopleapi.List{RunID: int64(b.loaded), Rows: itertest.Rows(rows...)})
	require.NoError(t, err)
	return r
}

// gp is an adviser and its funds.
type gp struct {
	crd, name, business string
	funds               []string
	kinds               []string // types of the funds, as filed; shorter than funds: the others state none
}

// file loads advisers with their funds.
func (b *bench) file(t *testing.T, list ...gp) {
	t.Helper()
	b.loaded++
	doc := catalogapi.Document{Name: fmt.Sprintf("gps-%d.zip", b.loaded), Source: catalogapi.SourceADVArchive}
	var filings []*catalogapi.AdviserFiling
	var funds []*catalogapi.FundRow
	for i, g := range list {
		key := strconv.Itoa(70_000_000 + b.loaded*1_000 + i)
		filings = append(filings, &catalogapi.AdviserFiling{
			Key: key, FilingID: key, CRD: g.crd, Submitted: time.Date(2025, 1, b.loaded, 0, 0, 0, 0, time.UTC),
			Statement: catalogapi.Statement{
				LegalName: g.name, BusinessName: catalogapi.Text(cmp.Or(g.business, g.name)), City: new("Boston"), State: new("MA"),
				Country: new("United States"), AdvisesFunds: new(len(g.funds) > 0),
			},
			Basis: catalogapi.Basis{Registration: new(string(catalogapi.Registered))}, FundsListed: true, File: "f", Line: 1,
		})
		for n, name := range g.funds {
			funds = append(funds, &catalogapi.FundRow{
				FilingKey: key, ReferenceID: strconv.Itoa(n), FundID: fmt.Sprintf("805-%s%04d", g.crd, n), Name: name, File: "f", Line: 1,
			})
			if n < len(g.kinds) {
				funds[len(funds)-1].FundType = g.kinds[n]
			}
		}
	}
	doc.Filings, doc.Funds = itertest.Rows(filings...), itertest.Rows(funds...)
	_, err := b.loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{Reject: func(r catalogapi.Rejected) { t.Errorf("rejected: %s", r.Reason) }})
	require.NoError(t, err)
}

func (b *bench) match(t *testing.T) lp.Matched {
	t.Helper()
	m, err := b.service.Match(t.Context())
	require.NoError(t, err)
	return m
}

// dump is everything that is kept of LPs, IDs included.
func (b *bench) dump(t *testing.T) (all []string) {
	t.Helper()
	for _, table := range []string{"lps", "lp_investments", "lp_commitments", "lp_figures"} {
		lines, err := database.Values[string](t.Context(), b.db, "dump", "SELECT (x.*)::text FROM people."+table+" x ORDER BY 1", nil)
		require.NoError(t, err)
		all = append(all, lines...)
	}
	return all
}

var errTorn = errors.New("torn")

// torn returns a row and then an error.
func torn(row *peopleapi.Commitment) iter.Seq2[*peopleapi.Commitment, error] {
	return func(yield func(*peopleapi.Commitment, error) bool) {
		if yield(row, nil) {
			yield(nil, errTorn)
		}
	}
}

func refuse(context.Context, peopleapi.ListRead) error { return errTorn }
