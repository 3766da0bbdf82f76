package load_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/record"
	"gpatlas/platform/testkit/testscale"
)

// streamed is a document of whatever kind.
type streamed interface{ stream() catalogapi.Document }

// together loads documents in one transaction, each under the run of its place; those that fail are passed over.
func (b *bench) together(docs ...streamed) (results []catalogapi.LoadResult, rejected []catalogapi.Rejected) {
	b.t.Helper()
	results, err := b.loader.LoadBatch(b.t.Context(), func(ctx context.Context, load catalogapi.LoadFunc) error {
		for i, d := range docs {
			_, err := load(ctx, b.loader.Prepare(ctx, d.stream(), catalogapi.LoadOptions{
				RunID: int64(i + 1), Reject: func(r catalogapi.Rejected) { rejected = append(rejected, r) },
			}))
			if err != nil {
				require.ErrorIs(b.t, err, errTorn)
			}
		}
		return nil
	})
	require.NoError(b.t, err)
	return results, rejected
}

var errTorn = errors.New("the archive ends in the middle")

// tables is every row of every table of the catalog, but for what the clock and the order of writing give.
func (b *bench) tables() map[string][][]string {
	b.t.Helper()
	all := map[string][][]string{}
	for _, t := range b.rows(`SELECT table_name::text FROM information_schema.tables
		WHERE table_schema = 'catalog' AND table_type = 'BASE TABLE' AND table_name NOT IN ('publications', 'arrivals', 'changed_advisers')`) {
		all[t[0]] = b.rows(`SELECT (to_jsonb(t) - ARRAY['arrival', 'known_at', 'updated_at', 'processed_at', 'replaced_at', 'id'])::text FROM catalog.` + t[0] + ` t ORDER BY 1`)
	}
	for _, row := range b.rows(`SELECT crd, coalesce(array_to_string(others, ' '), ''), encode(filed, 'hex') FROM catalog.records ORDER BY 1`) {
		filed, err := hex.DecodeString(row[2])
		require.NoError(b.t, err)
		r, err := record.NewDecoder().Decode(row[0], filed, nil, nil)
		require.NoError(b.t, err)
		for i := range r.Filings {
			r.Filings[i].Since, r.Filings[i].Until = time.Time{}, time.Time{}
		}
		for _, f := range r.Funds {
			for i := range f.Versions {
				f.Versions[i].Until = time.Time{}
			}
		}
		said, err := json.Marshal(r)
		require.NoError(b.t, err)
		all["what was filed"] = append(all["what was filed"], []string{row[0], row[1], string(said)})
	}
	delete(all, "records") // they hold the instants of the loads
	// The ids of providers' names are in the order of the loads.
	delete(all, "provider_names")
	delete(all, "fund_services")
	delete(all, "provider_changes")
	named := func(ids, shift string) string {
		return `ARRAY(SELECT n.name || n.crd || n.lei || ' ' || (s & 7) * ` + shift + ` FROM unnest(` + ids + `) s JOIN catalog.provider_names n ON n.id = CASE ` + shift + ` WHEN 1 THEN s >> 3 ELSE s END ORDER BY 1)::text`
	}
	all["services"] = b.rows("SELECT fund_id, stated, " + named("services", "1") + " FROM catalog.fund_services ORDER BY 1")
	all["provider changes"] = b.rows("SELECT accession, filing_date, role, funds, funds_in_filing, " + named("before", "0") + ", " + named("after", "0") +
		" FROM catalog.provider_changes ORDER BY 1, 3, 4, 6")
	all["indexes"] = b.rows(`SELECT indexdef FROM pg_indexes WHERE schemaname = 'catalog' ORDER BY 1`)
	all["constraints"] = b.rows(`SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) FROM pg_constraint
		WHERE connamespace = 'catalog'::regnamespace ORDER BY 1, 2`)
	return all
}

// stranger is about an adviser that nobody else has to do with. Where it is there already, nothing is a first load.
func stranger() document {
	d := archive("stranger.zip", filing("9900001", "7999", "2020-02-03", "WRENFIELD LP", func(f *catalogapi.AdviserFiling) { f.City = new("Nome") }))
	d.funds = []*catalogapi.FundRow{fund("9900001", "0000009999", "Wrenfield Timberland Zwei", 7e7)}
	d.children = children{
		owners:    []*catalogapi.OwnerRow{owner("9900001", "PERSON, STRANGE")},
		providers: []*catalogapi.ProviderRow{provider("9900001", "0000009999", "STRANGE BANK")},
	}
	return d
}

// randomLoad is a dozen documents of all kinds, among them some that restate others or break in the middle.
func randomLoad(rng *rand.Rand) []streamed {
	var docs []streamed
	for n, numbers := 0, rng.Perm(30); n < 1+rng.IntN(4); n++ {
		docs = append(docs, randomNotices(rng, numbers[n*5:n*5+5]))
	}
	if rng.IntN(3) == 0 {
		docs = append(docs, randomNotices(rng, rng.Perm(30)[:5])) // some of them again, otherwise
	}
	var filings []streamed
	for _, d := range history() {
		filings = append(filings, d)
	}
	for n := range 1 + rng.IntN(4) {
		filings = append(filings, randomArchive(rng, 20+n))
	}
	if rng.IntN(2) == 0 {
		filings = append(filings, randomArchive(rng, 20)) // the same filings, otherwise
	}
	if rng.IntN(2) == 0 {
		broken := randomArchive(rng, 30)
		broken.breaks = errTorn
		filings = append(filings, broken, randomArchive(rng, 30))
	}
	filings = append(filings, withChildren(oneOfEach()))
	rng.Shuffle(len(filings), func(i, k int) { filings[i], filings[k] = filings[k], filings[i] })
	docs = append(docs, filings...)
	if rng.IntN(3) == 0 {
		rng.Shuffle(len(docs), func(i, k int) { docs[i], docs[k] = docs[k], docs[i] })
	}
	return docs
}

// Documents that go straight into the tables of an empty catalog come to what they come to where it is not empty, table
// by table, and so do their counts and what is refused of them. Eight loads are the full figure.
func TestFirstLoadComesToTheSame(t *testing.T) {
	t.Parallel()
	straight, merged, torn, mixed := 0, 0, 0, 0
	for seed := range uint64(testscale.Rounds(t, 4)) {
		docs := randomLoad(rand.New(rand.NewPCG(seed, 224)))
		if late := slices.IndexFunc(docs, func(d streamed) bool { _, is := d.(document); return is }); slices.ContainsFunc(docs[late:], func(d streamed) bool { _, is := d.(notices); return is }) {
			mixed++
		}
		first, later := newBench(t), newBench(t)
		later.load(stranger())
		// The tables of a first load are begun anew, those of any other are not.
		file := `SELECT pg_relation_filenode('catalog.filings')`
		fileFirst, fileLater := first.row(file), later.row(file)
		want, wantRejected := later.together(docs...)
		got, rejected := first.together(docs...)
		require.NotEqual(t, fileFirst, first.row(file))
		require.Equal(t, fileLater, later.row(file))
		require.Equal(t, want, got, "seed %d", seed)
		require.Equal(t, wantRejected, rejected, "seed %d", seed)
		first.load(stranger())
		wantTables, tables := later.tables(), first.tables()
		wantTables["filings"], tables["filings"] = withoutRun(wantTables["filings"]), withoutRun(tables["filings"])
		require.Equal(t, wantTables, tables, "seed %d", seed)
		first.requireWorkedOut()
		for _, r := range got {
			switch {
			case r.FilingsChanged > 0:
				merged++
			case r.FilingsNew > 0:
				straight++
			case r.RowsRead == 0:
				torn++
			}
		}
		first.close()
		later.close()
	}
	require.Greater(t, straight, 10)
	require.Greater(t, merged, 3)
	require.Greater(t, torn, 1, "documents that broke in the middle")
	require.Greater(t, mixed, 1, "loads with notices after filings")
}

// withoutRun leaves out the run of the stranger's filing, which is another each way.
func withoutRun(filings [][]string) (out [][]string) {
	for _, f := range filings {
		if !strings.Contains(f[0], "stranger.zip") {
			out = append(out, f)
		}
	}
	return out
}

// A first load that is given up leaves the tables with their keys, and the next one is a first load again.
func TestFirstLoadGivenUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	empty := b.tables()
	_, err := b.loader.LoadBatch(t.Context(), func(ctx context.Context, load catalogapi.LoadFunc) error {
		for _, d := range []streamed{randomNotices(rand.New(rand.NewPCG(1, 2)), []int{1, 2, 3}), stranger()} {
			_, err := load(ctx, b.loader.Prepare(ctx, d.stream(), catalogapi.LoadOptions{RunID: 1}))
			require.NoError(t, err)
		}
		return errTorn
	})
	require.ErrorIs(t, err, errTorn)
	require.Equal(t, empty, b.tables())
	b.load(stranger())
	require.Equal(t, []string{"7999"}, b.row(`SELECT crd FROM catalog.advisers`))
	require.Equal(t, empty["indexes"], b.tables()["indexes"])
}

// A rejection by the quality check rolls back rows that went straight into the catalog's tables.
func TestFirstLoadIsNotAccepted(t *testing.T) {
	t.Parallel()
	for _, d := range []streamed{stranger(), notice(1, "021-7", "2024-02-03", "Alder I LP")} {
		b := newBench(t)
		before := b.tables()
		_, err := b.loader.LoadDocument(t.Context(), d.stream(), catalogapi.LoadOptions{
			Reject: func(catalogapi.Rejected) {},
			Accept: func(context.Context, catalogapi.Staged) error { return errTorn },
		})
		require.ErrorIs(t, err, errTorn)
		require.Equal(t, before, b.tables())
		b.close()
	}
}
