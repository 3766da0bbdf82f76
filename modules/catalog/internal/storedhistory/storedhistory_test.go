package storedhistory_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/storedhistory"
)

// fill fills everything that a value holds, whatever fields it has: one that were not written would be missed when it is
// read back.
func fill(rng *rand.Rand, v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		if rng.IntN(8) > 0 {
			v.Set(reflect.ValueOf(time.Date(1900+rng.IntN(200), 1, 1+rng.IntN(365), 0, 0, 0, 0, time.UTC)))
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		words := []string{"", "ADV", "ADV/A", "material", "closed", "Zürich, „7“\x00", "registered", strconv.Itoa(rng.IntN(1000))}
		v.SetString(words[rng.IntN(len(words))])
	case reflect.Int64:
		v.SetInt([]int64{0, 1, -1, math.MaxInt64, math.MinInt64, rng.Int64N(1 << 40)}[rng.IntN(6)])
	case reflect.Pointer:
		if rng.IntN(4) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(rng, v.Elem())
		}
	case reflect.Slice:
		for range rng.IntN(4) {
			item := reflect.New(v.Type().Elem()).Elem()
			fill(rng, item)
			v.Set(reflect.Append(v, item))
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(rng, field)
		}
	default:
		panic("no rule for a " + v.Type().String())
	}
}

var accessions = []string{
	"ADV-900001-1912345", "ADV-900001-01", "ADV-900002-7", "ROSTER-900001-20260701", "FEED-900001-20260126", "0009999999-22-000001", "-900001-", "X", "",
	"ADV-900001--5", "ADV-900001-99999999999999999999",
}

func refer(rng *rand.Rand) (f catalogapi.FilingRef) {
	fill(rng, reflect.ValueOf(&f).Elem())
	f.Accession = accessions[rng.IntN(len(accessions))]
	return f
}

func sources(rng *rand.Rand) fold.Provenance {
	byAccession := map[string]fold.Origin{} // a filing is always the same
	fields := []string{"legal_name", "name", "status", "vintage_year", "unheard_of", "", "country_code", "withdrawn_on", "master_fund_id"}
	out := fold.Provenance{}
	for range rng.IntN(12) {
		ref := refer(rng)
		f := fold.Origin{Accession: ref.Accession, FormType: ref.FormType, FilingDate: ref.FiledOn} // no more is kept
		if first, ok := byAccession[f.Accession]; ok {
			f = first
		}
		byAccession[f.Accession] = f
		out[fields[rng.IntN(len(fields))]] = f
	}
	return out
}

// randomRow is any row, all of whose states are the adviser's.
func randomRow(rng *rand.Rand) *storedhistory.Row {
	r := &storedhistory.Row{CRD: "900001"}
	state := func() (s catalogapi.AdviserState) {
		fill(rng, reflect.ValueOf(&s).Elem())
		s.CRD, s.Filing = r.CRD, refer(rng)
		return s
	}
	fill(rng, reflect.ValueOf(&r.Standing.Funds).Elem())
	r.Standing.AdviserState = state()
	for n := range rng.IntN(6) {
		next := state()
		if n > 0 && rng.IntN(2) > 0 { // most filings change little
			filing := next.Filing
			next = r.Timeline[n-1]
			next.Filing = filing
		}
		r.Timeline = append(r.Timeline, next)
	}
	r.Sources = sources(rng)
	r.FundSources = map[string]fold.Provenance{}
	all := sources(rng) // of the funds together, a filing is always the same too
	for n := range rng.IntN(5) {
		own := fold.Provenance{}
		for field, f := range all {
			if rng.IntN(2) > 0 {
				own[field] = f
			}
		}
		r.FundSources["805-"+strconv.Itoa(n)] = own
	}
	return r
}

// read is what is read back of a row.
func read(t *testing.T, parts storedhistory.Parts, funds map[string]fold.Provenance) *storedhistory.Row {
	t.Helper()
	r := &storedhistory.Row{CRD: "900001", FundSources: map[string]fold.Provenance{}}
	var err error
	r.Standing.AdviserState, r.Timeline, err = storedhistory.DecodeStates(r.CRD, parts.States)
	require.NoError(t, err)
	r.Standing.Funds, err = storedhistory.DecodeFunds(parts.Funds)
	require.NoError(t, err)
	r.Sources, err = storedhistory.DecodeSources(r.CRD, parts.Sources, "")
	require.NoError(t, err)
	for id := range funds {
		r.FundSources[id], err = storedhistory.DecodeSources(r.CRD, parts.FundSources, id)
		require.NoError(t, err)
	}
	return r
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 11))
	for range 3000 {
		want := randomRow(rng)
		parts := storedhistory.Encode(want)
		require.Equal(t, parts, storedhistory.Encode(want), "equal rows are written alike")
		got := read(t, parts, want.FundSources)
		if len(want.Timeline) == 0 {
			want.Timeline = got.Timeline
			require.Empty(t, got.Timeline)
		}
		require.Equal(t, want, got)
		none, err := storedhistory.DecodeSources(want.CRD, parts.FundSources, "805-none")
		require.NoError(t, err)
		require.Nil(t, none)
	}
}

// Damaged bytes are an error or another row; nothing worse comes of them.
func TestDamage(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(13, 17))
	faults := 0
	for range 3000 {
		p := storedhistory.Encode(randomRow(rng))
		for _, part := range [][]byte{p.States, p.Funds, p.Sources, p.FundSources} {
			if rng.IntN(2) == 0 {
				part = part[:rng.IntN(len(part))]
			} else {
				part[rng.IntN(len(part))] ^= byte(1 << rng.IntN(8))
			}
			_, _, states := storedhistory.DecodeStates("900001", part)
			_, funds := storedhistory.DecodeFunds(part)
			_, own := storedhistory.DecodeSources("900001", part, "")
			_, ofFund := storedhistory.DecodeSources("900001", part, "805-3")
			for _, err := range []error{states, funds, own, ofFund} {
				if err != nil {
					faults++
				}
			}
		}
	}
	require.Greater(t, faults, 20_000)
}

// typical is an adviser of the market: ten filings and seven funds, each of which eight filings value.
func typical() *storedhistory.Row {
	day := time.Date(2020, 3, 28, 0, 0, 0, 0, time.UTC)
	filing := func(n int) catalogapi.FilingRef {
		return catalogapi.FilingRef{
			Accession: "ADV-763283-" + strconv.Itoa(803382+411*n), FormType: "ADV/A", AmendmentType: "annual",
			Source: catalogapi.SourceADVArchive, FiledOn: day.AddDate(0, 8*n, 0),
		}
	}
	source := func(n int) fold.Origin {
		f := filing(n)
		return fold.Origin{Accession: f.Accession, FormType: f.FormType, FilingDate: f.FiledOn}
	}
	r := &storedhistory.Row{CRD: "763283", Sources: fold.Provenance{}, FundSources: map[string]fold.Provenance{}}
	for n := range 10 {
		r.Timeline = append(r.Timeline, catalogapi.AdviserState{
			Filing: filing(n), CRD: r.CRD, LegalName: "Zephanford Advisors, LLC", City: "Boston", State: "MA", Country: "United States",
			Registration: "registered", PrimaryStrategy: "buyout", TotalAUM: new(int64(8_711_527 * (n + 1))), EmployeeCount: new(int64(4 + n/2)),
			FundCount: new(int64(7)), TotalGAV: new(int64(6_913_911 * (n + 1))), FirstFiledOn: day,
		})
	}
	r.Standing.AdviserState = r.Timeline[9]
	for k := range 7 {
		id := "805-125299502" + strconv.Itoa(k)
		f := catalogapi.FundState{
			FundID: id, Name: "Zephanford Growth Opportunities Fund " + strconv.Itoa(k) + ", L.P.", Strategy: "buyout", Status: "active",
			VintageYear: 2020, VintageQuality: catalogapi.VintageFirstFiling, GAV: new(int64(9_795_046)), FirstFiledOn: day,
		}
		of := fold.Provenance{}
		for n := range 8 {
			f.Values = append(f.Values, catalogapi.FundValue{FiledOn: day.AddDate(0, 8*n, 0), GAV: int64(9_795_046 + n)})
		}
		for _, field := range []string{"name", "strategy", "status", "fund_type", "gross_asset_value", "is_3c1", "is_3c7", "annual_audit", "vintage_year"} {
			of[field] = source(9)
		}
		r.Standing.Funds, r.FundSources[id] = append(r.Standing.Funds, f), of
	}
	for _, field := range []string{"legal_name", "city", "state", "country", "total_aum", "fund_count", "total_gav", "employee_count"} {
		r.Sources[field] = source(9)
	}
	return r
}

func BenchmarkEncode(b *testing.B) {
	row := typical()
	var size int
	for b.Loop() {
		p := storedhistory.Encode(row)
		size = len(p.States) + len(p.Funds) + len(p.Sources) + len(p.FundSources)
	}
	b.ReportMetric(float64(size), "bytes")
}

// BenchmarkDecode is what metrics read.
func BenchmarkDecode(b *testing.B) {
	parts := storedhistory.Encode(typical())
	for b.Loop() {
		if _, _, err := storedhistory.DecodeStates("763283", parts.States); err != nil {
			b.Fatal(err)
		}
		if _, err := storedhistory.DecodeFunds(parts.Funds); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(parts.States)+len(parts.Funds)), "bytes")
}

// BenchmarkDecodeJSON is the same as JSON.
func BenchmarkDecodeJSON(b *testing.B) {
	row := typical()
	text, err := json.Marshal([]any{row.Standing, row.Timeline})
	require.NoError(b, err)
	for b.Loop() {
		var standing catalogapi.AdviserWithFunds
		var timeline []catalogapi.AdviserState
		if err := json.Unmarshal(text, &[]any{&standing, &timeline}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(text)), "bytes")
}
