package market

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/catalog/internal/index"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/moment"
)

func drawRow(t *rapid.T) index.AggregateRow {
	word := rapid.SampledFrom([]string{"", "venture", "MA", "United States", `"odd" & \`, "Côte d'Ivoire", "\u2029"})
	count := rapid.IntRange(0, 1000)
	amount := rapid.OneOf(rapid.Int64Min(0), rapid.Int64Range(0, 1000))
	return index.AggregateRow{
		Strategy: word.Draw(t, "strategy"), VintageYear: rapid.Int64Range(1900, 2200).Draw(t, "vintage"), Country: word.Draw(t, "country"),
		CountryCode: "US", State: word.Draw(t, "state"), Band: rapid.SampledFrom([]string{"", "<100M", ">10B"}).Draw(t, "band"),
		GPCount: count.Draw(t, "gps"), KnownAUM: rapid.IntRange(0, 3).Draw(t, "known"), TotalAUM: amount.Draw(t, "aum"),
		FundCount: count.Draw(t, "funds"), KnownFunds: rapid.IntRange(0, 3).Draw(t, "known counts"), KnownGAV: rapid.IntRange(0, 3).Draw(t, "known funds"), TotalGAV: amount.Draw(t, "gav"),
		Registration: rapid.SampledFrom([]string{"", "registered"}).Draw(t, "registration"), ManagerType: rapid.SampledFrom([]string{"", "pe_vc"}).Draw(t, "type"),
		FormDFunds: count.Draw(t, "by form D"), FirstFilingFunds: count.Draw(t, "by filing"), ListFunds: count.Draw(t, "by list"),
	}
}

// asRow shows a row as the contract wants it: said again, slowly.
func asRow(s *shape, r *index.AggregateRow) (row AggregateRow) {
	known := func(s string) **string {
		var shown *string
		if s != "" {
			shown = &s
		}
		return &shown
	}
	mean := func(total int64, of int) **int64 {
		var shown *int64
		if of > 0 {
			shown = new(total / int64(of))
		}
		return &shown
	}
	amount := func(n int64, of int) **int64 {
		var shown *int64
		if of > 0 {
			shown = &n
		}
		return &shown
	}
	one, ofFunds := len(s.by) == 1, slices.Contains(s.by, index.GroupVintage)
	for _, by := range s.by {
		switch by {
		case index.GroupStrategy:
			row.Strategy = known(r.Strategy)
		case index.GroupVintage:
			row.VintageYear = &r.VintageYear
		case index.GroupAUMBand:
			row.AUMBand = known(r.Band)
		case index.GroupRegistration:
			row.Registration = known(r.Registration)
		case index.GroupManagerType:
			row.ManagerType = known(r.ManagerType)
		case index.GroupState, index.GroupGeography:
			row.State = known(r.State)
			if by == index.GroupGeography || one {
				location := r.State
				if location != "" && r.Country != "" {
					location += ", "
				}
				row.Country, row.Location = known(r.Country), known(location+r.Country)
			}
		}
	}
	funds := new(&r.FundCount)
	if !ofFunds && r.KnownFunds == 0 {
		funds = new((*int)(nil))
	}
	if ofFunds {
		row.FundCount, row.TotalGAV = funds, amount(r.TotalGAV, r.KnownGAV)
		if one {
			row.AvgFundSize, row.VintageQuality = mean(r.TotalGAV, r.KnownGAV), &VintageQualities{r.FormDFunds, r.FirstFilingFunds, r.ListFunds}
		}
	} else {
		row.GPCount, row.TotalAUM = &r.GPCount, amount(r.TotalAUM, r.KnownAUM+max(0, 1-r.GPCount)) // without managers it is 0
		if one && s.by[0] != index.GroupAUMBand {
			row.AvgAUM = mean(r.TotalAUM, r.KnownAUM)
		}
		if one && s.by[0] == index.GroupStrategy {
			row.FundCount = funds
		}
	}
	for i := range s.measures {
		if row.Measures == nil {
			row.Measures = &Measures{}
		}
		describe(row.Measures, &s.measures[i], &r.Figures[i])
	}
	return row
}

// describe sets the figures of a measure by the names of the fields.
func describe(to *Measures, m *measure, f *index.Figures) {
	of := reflect.ValueOf(to).Elem()
	field := func(v reflect.Value, name string) reflect.Value {
		return v.FieldByNameFunc(func(field string) bool {
			f, _ := v.Type().FieldByName(field)
			tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			return tag == name
		})
	}
	figures := field(of, string(m.of))
	figures.Set(reflect.New(figures.Type().Elem()))
	field(figures.Elem(), "known").SetInt(int64(f.Known))
	for _, s := range m.shown {
		v := map[statistic]int64{sum: f.Sum, median: f.Median, p25: f.P25, p75: f.P75, least: f.Min, most: f.Max}[s]
		number, percents := &v, new(float64(v)/100)
		if s == avg && f.Known > 0 {
			number, percents = new(f.Sum/int64(f.Known)), new(math.Round(float64(f.Sum)/float64(f.Known))/100+0) // not -0
		}
		if f.Known == 0 {
			number, percents = nil, nil
		}
		if to := field(figures.Elem(), string(s)); m.percent() {
			to.Set(reflect.ValueOf(&percents))
		} else {
			to.Set(reflect.ValueOf(&number))
		}
	}
}

func drawFigures(t *rapid.T) index.Figures {
	v := rapid.Int64Range(-40_000, 5_000_000_000)
	return index.Figures{
		Known: rapid.IntRange(0, 3).Draw(t, "values"), Sum: v.Draw(t, "sum"), Min: v.Draw(t, "min"), P25: v.Draw(t, "p25"), Median: v.Draw(t, "median"),
		P75: v.Draw(t, "p75"), Max: v.Draw(t, "max"),
	}
}

func drawShape(t *rapid.T) (s shape) {
	by := rapid.SampledFrom(index.Groupings)
	s.name = string(by.Draw(t, "by"))
	if second := string(by.Draw(t, "and by")); rapid.Bool().Draw(t, "two") {
		s.name += "," + second
	}
	var fault string
	if s.by, fault = parseGroupings(s.name); fault != "" {
		s.name = "strategy"
		s.by = []index.Grouping{index.GroupStrategy}
	}
	list := rapid.SliceOf(rapid.Custom(func(t *rapid.T) string {
		return string(rapid.SampledFrom(index.Quantities).Draw(t, "of")) + "." + string(rapid.SampledFrom(statistics).Draw(t, "statistic"))
	})).Draw(t, "measures")
	s.measures, _ = parseMeasures(strings.Join(list, ","), s.has(index.GroupVintage))
	return s
}

// The bytes of an answer are what encoding/json makes of the type that the operation declares.
func TestEncoding(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		shape := drawShape(t)
		built := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "built"), 0)
		var rows []index.AggregateRow
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			row := drawRow(t)
			for range shape.measures {
				row.Figures = append(row.Figures, drawFigures(t))
			}
			rows = append(rows, row)
		}
		in := Input{}
		in.Country, in.City = opt(t, "country", `Ruritania & "K"`, "US"), opt(t, "city", "Montréal")
		in.Former = httpapi.Opt[bool]{Value: rapid.Bool().Draw(t, "former"), Set: rapid.Bool().Draw(t, "of former")}
		in.MinAUM = httpapi.Opt[int64]{Value: rapid.Int64Min(0).Draw(t, "aum"), Set: rapid.Bool().Draw(t, "bounded")}
		in.MinAUMGrowth1 = httpapi.Opt[float64]{Value: 9.54, Set: rapid.Bool().Draw(t, "growing")}
		_, filters, err := in.AggregateQuery(clock.System{}, nil, in.MinVintage, in.MaxVintage)
		require.NoError(t, err)
		known := time.Time{}
		if rapid.Bool().Draw(t, "past") {
			known = time.Unix(1_700_000_000, 0)
		}
		total := rapid.Ptr(rapid.IntRange(0, 9), true).Draw(t, "total")
		basis := moment.NewBasis(built, charge.NewPricing(priceMicros, charge.PerRequest), time.Time{}, known)

		want := Aggregate{AggregationType: shape.name, Data: []AggregateRow{}, Meta: AggregateMeta{Filters: filters.Map(), Total: total, Basis: basis}}
		for i := range rows {
			want.Data = append(want.Data, asRow(&shape, &rows[i]))
		}
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		require.NoError(t, encoder.Encode(want))
		require.Equal(t, strings.TrimSpace(b.String()), string(shape.appendAnswer(nil, rows, filters, total, &basis)))
	})
}

func opt(t *rapid.T, name string, values ...string) httpapi.Opt[string] {
	return httpapi.Opt[string]{Value: rapid.SampledFrom(values).Draw(t, name), Set: rapid.Bool().Draw(t, name+" sent")}
}
