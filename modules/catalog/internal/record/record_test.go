package record_test

import (
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/record"
)

var began = time.Date(2012, 1, 1, 0, 0, 0, 0, time.UTC)

// fill puts random answers into the columns of a structure.
func fill(rng *rand.Rand, row any) {
	v := reflect.ValueOf(row).Elem()
	for _, c := range catalogapi.ColumnsOf(v.Type()) {
		if rng.IntN(3) == 0 {
			continue
		}
		field := v.FieldByIndex(c.Path)
		text := "word " + strconv.Itoa(rng.IntN(20))
		day := began.AddDate(0, 0, rng.IntN(20000)-10000)
		switch to := field.Addr().Interface().(type) {
		case **string:
			*to = &text
		case **bool:
			*to = new(rng.IntN(2) == 0)
		case **int64:
			*to = new([]int64{0, -1, 7, math.MaxInt64, math.MinInt64, rng.Int64()}[rng.IntN(6)])
		case **float64:
			*to = new(rng.Float64())
		case **time.Time:
			*to = &day
		case *[]string:
			*to = []string{"", text, "other"}[:rng.IntN(4)]
		case *map[string]int64:
			*to = map[string]int64{text: rng.Int64(), "": 1}
		}
	}
}

// random is a record with restated filings, withdrawals, and funds that editions begin and cease to name.
func random(rng *rand.Rand) *record.Record {
	r := &record.Record{CRD: "900001"}
	var ends [][]time.Time // of each filing, when its editions were replaced
	var places []int
	sources := []catalogapi.Source{
		catalogapi.SourceADVArchive, catalogapi.SourceADVArchive, catalogapi.SourceRoster, catalogapi.SourceFeed, catalogapi.SourceFundList, catalogapi.SourceADVW,
	}
	for i := range 1 + rng.IntN(8) {
		var f record.Filing
		fill(rng, &f.AdviserVersion)
		day := began.AddDate(0, 0, rng.IntN(40))
		f.Filing = fold.Filing{
			Accession: "A-" + strconv.Itoa(i), CRD: r.CRD, DocSource: sources[rng.IntN(len(sources))], FormType: "ADV/A", Amendment: "annual",
			FilingDate: day, SubmittedAt: day.Add(time.Duration(rng.IntN(86_400_000_000)) * time.Microsecond), FilingID: int64(rng.IntN(3) * i), FundsListed: rng.IntN(2) == 0,
		}
		f.LegalName, f.Says = "Name "+strconv.Itoa(rng.IntN(3)), f.DocSource != catalogapi.SourceADVW
		f.Full = !f.Says && rng.IntN(2) == 0
		f.Since = day.Add(time.Duration(1+rng.IntN(1_000_000)) * time.Microsecond)
		var replaced []time.Time
		for range rng.IntN(3) {
			older := f
			older.Until = older.Since.AddDate(0, 0, 1+rng.IntN(30))
			f.Since, f.FilingDate = older.Until, f.FilingDate.AddDate(0, 0, rng.IntN(3)-1)
			replaced = append(replaced, older.Until)
			r.Filings = append(r.Filings, older)
		}
		places, ends = append(places, len(r.Filings)), append(ends, append(replaced, time.Time{}))
		r.Filings = append(r.Filings, f)
	}
	for n := range rng.IntN(4) {
		f := record.Fund{ID: "805-" + strconv.Itoa(n)}
		for i, place := range places {
			for _, until := range ends[i] {
				if rng.IntN(2) == 0 {
					continue // the edition says the same as the next one, or does not name it
				}
				v := record.FundVersion{In: place, Until: until, Unsaid: !until.IsZero() && rng.IntN(3) == 0}
				if !v.Unsaid {
					fill(rng, &v.FiledFund)
					v.Name, v.Silent = "Fund "+strconv.Itoa(rng.IntN(3)), []string{"state", "gaap"}[:rng.IntN(3)]
				}
				f.Versions = append(f.Versions, v)
			}
		}
		if f.Versions == nil {
			f.Versions = []record.FundVersion{{In: places[0], FiledFund: fold.FiledFund{Name: "Fund"}}}
		}
		r.Funds = append(r.Funds, f)
	}
	return r
}

// records are many random ones.
func records() iter.Seq2[*rand.Rand, *record.Record] {
	return func(yield func(*rand.Rand, *record.Record) bool) {
		for n := range uint64(500) {
			rng := rand.New(rand.NewPCG(7, n))
			if !yield(rng, random(rng)) {
				return
			}
		}
	}
}

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	t.Parallel()
	d := record.NewDecoder()
	for _, r := range records() {
		written := record.Encode(r)
		require.Equal(t, written, record.Encode(r))
		read, err := d.Decode(r.CRD, written, nil, nil)
		require.NoError(t, err)
		if len(r.Funds) == 0 {
			read.Funds = nil
		}
		require.Empty(t, cmp.Diff(r, read), "instants in UTC to the microsecond, nil lists nil, empty ones empty")
		for _, f := range read.Filings {
			require.Equal(t, time.UTC, f.Since.Location())
		}
	}
}

func TestDecodeSomeFunds(t *testing.T) {
	t.Parallel()
	d := record.NewDecoder()
	for _, r := range records() {
		read, err := d.Decode(r.CRD, record.Encode(r), map[string]bool{"805-1": true}, nil)
		require.NoError(t, err)
		require.Equal(t, len(r.Funds) > 1, len(read.Funds) == 1)
		if len(read.Funds) == 1 {
			require.Empty(t, cmp.Diff(r.Funds[1], read.Funds[0]))
		}
	}
}

// What is left out of a record that is read for a moment does not count at it.
func TestDecodeForAMoment(t *testing.T) {
	t.Parallel()
	d, left := record.NewDecoder(), 0
	for rng, r := range records() {
		m := record.Moment{Day: began.AddDate(0, 0, rng.IntN(40))}
		if rng.IntN(2) == 0 {
			m.Known = began.AddDate(0, 0, rng.IntN(120))
		}
		if rng.IntN(3) == 0 {
			m = record.Moment{Through: &r.Filings[rng.IntN(len(r.Filings))].Filing}
		}
		read, err := d.Decode(r.CRD, record.Encode(r), nil, &m)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(r.At(m), read.At(m), cmpopts.EquateEmpty()))
		left += len(r.Funds) - len(read.Funds)
	}
	require.Greater(t, left, 100)
}

func TestDecodeDamaged(t *testing.T) {
	t.Parallel()
	d := record.NewDecoder()
	for rng, r := range records() {
		written := record.Encode(r)
		_, err := d.Decode(r.CRD, written[:rng.IntN(len(written))], nil, nil)
		require.ErrorContains(t, err, "read the record of 900001")
		written[rng.IntN(len(written))] ^= 1 << rng.IntN(8)
		_, _ = d.Decode(r.CRD, written, nil, nil) // an error or not, but no panic
	}
}

func TestAtNow(t *testing.T) {
	t.Parallel()
	for _, r := range records() {
		now := r.At(record.Moment{})
		last := began.AddDate(1, 0, 0)
		require.Empty(t, cmp.Diff(now, r.At(record.Moment{Day: last})))
		standing := 0
		for _, f := range r.Filings {
			if f.Until.IsZero() {
				standing++
			}
		}
		require.Len(t, now.Filings, standing)
		for _, f := range now.Filings {
			require.False(t, f.Restated)
		}
		known := r.At(record.Moment{Known: last})
		fold.MarkInitial(now.Filings)
		require.Empty(t, cmp.Diff(now.Filings, known.Filings), "all that is there is known by now")
		require.Len(t, known.FundVersions, len(now.FundVersions))
	}
}

func TestAtADay(t *testing.T) {
	t.Parallel()
	for rng, r := range records() {
		known := time.Time{}
		if rng.IntN(2) == 0 {
			known = began.AddDate(0, 0, rng.IntN(120))
		}
		early, late := began.AddDate(0, 0, rng.IntN(20)), began.AddDate(0, 0, 20+rng.IntN(20))
		narrow, wide := r.At(record.Moment{Day: early, Known: known}), r.At(record.Moment{Day: late, Known: known})
		after := func(f *fold.Filing) bool { return f.FilingDate.After(early) }
		wide.Filings = slices.DeleteFunc(wide.Filings, func(f fold.Filed) bool { return after(&f.Filing) })
		wide.Versions = slices.DeleteFunc(wide.Versions, func(v fold.AdviserVersion) bool { return after(&v.Filing) })
		wide.FundVersions = slices.DeleteFunc(wide.FundVersions, func(v fold.FundVersion) bool { return after(&v.Filing) })
		require.Empty(t, cmp.Diff(wide, narrow, cmpopts.EquateEmpty()))
		if len(narrow.Filings) > 0 {
			through := narrow.Filings[rng.IntN(len(narrow.Filings))].Filing
			for _, v := range r.At(record.Moment{Through: &through, Known: known}).FundVersions {
				require.LessOrEqual(t, fold.Order(&v.Filing, &through), 0)
			}
		}
	}
}

func TestAtAnInstant(t *testing.T) {
	t.Parallel()
	for rng, r := range records() {
		require.Empty(t, r.At(record.Moment{Known: began.AddDate(0, 0, -9)}).Filings, "nothing was known before the first load")
		known := began.AddDate(0, 0, rng.IntN(120))
		then := r.At(record.Moment{Known: known})
		for _, f := range then.Filings {
			editions := slices.DeleteFunc(slices.Clone(r.Filings), func(e record.Filing) bool { return e.Accession != f.Accession })
			i := slices.IndexFunc(editions, func(e record.Filing) bool { return !e.Since.After(known) && (e.Until.IsZero() || e.Until.After(known)) })
			require.Equal(t, editions[i].FilingDate, f.FilingDate)
			require.Equal(t, !editions[i].Until.IsZero(), f.Restated)
		}
		seen := map[[2]string]bool{}
		for _, v := range then.FundVersions {
			require.False(t, seen[[2]string{v.Accession, v.FundID}], "one version of a fund in a filing")
			seen[[2]string{v.Accession, v.FundID}] = true
		}
	}
}

// What a record says does not depend on the order of its filings.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	for rng, r := range records() {
		m := record.Moment{Day: began.AddDate(0, 0, rng.IntN(40))}
		want := r.At(m)
		if len(want.Versions) == 0 {
			continue
		}
		order := rng.Perm(len(r.Filings))
		mixed := &record.Record{CRD: r.CRD, Filings: make([]record.Filing, len(order)), Funds: slices.Clone(r.Funds)}
		for i, to := range order {
			mixed.Filings[to] = r.Filings[i]
		}
		for i := range mixed.Funds {
			versions := slices.Clone(mixed.Funds[i].Versions)
			for k := range versions {
				versions[k].In = order[versions[k].In]
			}
			mixed.Funds[i].Versions = versions
		}
		rng.Shuffle(len(mixed.Funds), func(i, k int) { mixed.Funds[i], mixed.Funds[k] = mixed.Funds[k], mixed.Funds[i] })
		a, b := want.State(m.Day, fold.Provenance{}), mixed.At(m).State(m.Day, fold.Provenance{})
		require.Equal(t, a.Adviser, b.Adviser)
		require.Equal(t, a.Funds, b.Funds)
		require.Equal(t, a.Provenance, b.Provenance)
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for rng, r := range records() {
		other := random(rng)
		own, others := r.At(record.Moment{}), other.At(record.Moment{})
		named := map[string]bool{}
		for _, v := range own.FundVersions {
			named[v.FundID] = true
		}
		n := len(own.FundVersions)
		record.Complete(own, []*fold.Record{others})
		for _, v := range others.FundVersions {
			if named[v.FundID] {
				require.Equal(t, v, own.FundVersions[n])
				n++
				require.True(t, slices.ContainsFunc(own.Others, func(f fold.Filed) bool { return f.Accession == v.Accession }))
			}
		}
		require.Len(t, own.FundVersions, n)
	}
}
