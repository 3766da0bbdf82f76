package catalog

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/filing"
	"gpatlas/modules/catalog/internal/fund"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/testkit/fixture"
	"gpatlas/platform/apperr"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/platform/testkit/itertest"
)

func on(day string) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return t
}

func requireNotFound(t *testing.T, err error, sentence string) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, apperr.KindNotFound, apperr.From(err).Kind)
	require.Equal(t, sentence, apperr.From(err).Message)
}

func TestHistory(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	h := newHistory(history.NewStore(c.DB), &index.Holder{}, c.Clock)
	none := catalogapi.Moment{}

	standing, course, err := h.Course(t.Context(), "900001", none)
	require.NoError(t, err)
	require.Equal(t, "Harbor Ridge Capital Partners LLC", standing.LegalName)
	require.Equal(t, catalogapi.FilingRef{
		Accession: "ROSTER-900001-20260701", FormType: "ADV/A", AmendmentType: "material", Source: catalogapi.SourceRoster, FiledOn: on("2026-07-01"),
	}, standing.Filing)
	require.Equal(t, int64(2), *standing.FundCount)
	require.Equal(t, catalogapi.FundState{
		FundID: "805-0000000010", Name: "Harbor Ridge Buyout Fund I, L.P.", Strategy: "buyout", Status: "closed", VintageYear: 2019,
		VintageQuality: catalogapi.VintageFirstFiling, GAV: new(int64(400_000_000)), FirstFiledOn: on("2019-03-28"),
		Values: []catalogapi.FundValue{{FiledOn: on("2019-03-28"), GAV: 400_000_000}},
	}, standing.Funds[0])
	require.Len(t, standing.Funds, 3)

	timeline, err := h.Timeline(t.Context(), "900001", none)
	require.NoError(t, err)
	require.Len(t, timeline, 3)
	require.Equal(t, timeline, course)
	require.Equal(t, standing.AdviserState, timeline[2])
	require.Equal(t, "Harbor Ridge Partners LLC", timeline[0].LegalName)
	require.Equal(t, int64(900_000_000), *timeline[0].TotalGAV)

	early, _, err := h.Course(t.Context(), "900001", catalogapi.Moment{Day: on("2020-01-01")})
	require.NoError(t, err)
	require.Equal(t, timeline[0], early.AdviserState)
	short, err := h.Timeline(t.Context(), "900001", catalogapi.Moment{Day: on("2026-06-30")})
	require.NoError(t, err)
	require.Equal(t, timeline[:2], short)

	c.Withdraw(t, "900001", "2026-08-02")
	timeline, err = h.Timeline(t.Context(), "900001", none)
	require.NoError(t, err)
	require.Len(t, timeline, 4)
	require.Equal(t, on("2026-08-02"), timeline[3].WithdrawnOn)
	require.Equal(t, "ADV-W", timeline[3].Filing.FormType)
	require.Zero(t, timeline[2].WithdrawnOn)

	id, crd, err := h.FindFund(t.Context(), "805-0000000021")
	require.NoError(t, err)
	require.Equal(t, []string{"805-0000000021", "900002"}, []string{id, crd})

	_, _, err = h.Course(t.Context(), "123", none)
	requireNotFound(t, err, "GP with CRD 123 not found")
	_, err = h.Timeline(t.Context(), "123", none)
	requireNotFound(t, err, "GP with CRD 123 not found")
	_, err = h.Timeline(t.Context(), "900001", catalogapi.Moment{Day: on("2019-03-27")})
	requireNotFound(t, err, "GP with CRD 900001 is in no filing up to 2019-03-27")
	_, _, err = h.Course(t.Context(), "900001", catalogapi.Moment{Known: on("2019-03-27")})
	requireNotFound(t, err, "GP with CRD 900001 was in no filing processed by 2019-03-27T00:00:00Z")
	_, err = h.Record(t.Context(), "900001", catalogapi.Point{Accession: "ADV-900002-2002"})
	requireNotFound(t, err, "Filing ADV-900002-2002 of GP 900001 not found")
	_, _, err = h.FindFund(t.Context(), "805-9999999999")
	requireNotFound(t, err, "Fund 805-9999999999 not found")
}

// The filings of one day stand in the order of their submission, each with the state after it.
func TestTimelineOfOneDay(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	h := newHistory(history.NewStore(c.DB), &index.Holder{}, c.Clock)
	for _, f := range []struct {
		id, name string
		hour     int
	}{{"9003", "Larkspur Third LLC", 15}, {"9001", "Larkspur First LLC", 9}, {"9002", "Larkspur Second LLC", 11}} {
		c.Add(t, catalogapi.Document{
			Name: f.id, Source: catalogapi.SourceADVArchive, Filings: itertest.Rows(&catalogapi.AdviserFiling{
				Key: f.id, FilingID: f.id, CRD: "900020", Submitted: on("2026-05-04").Add(time.Duration(f.hour) * time.Hour),
				Statement: catalogapi.Statement{LegalName: f.name}, File: "f", Line: 1,
			}),
		})
	}
	timeline, err := h.Timeline(t.Context(), "900020", catalogapi.Moment{})
	require.NoError(t, err)
	var names []string
	for _, s := range timeline {
		names = append(names, s.LegalName)
		record, err := h.Record(t.Context(), "900020", catalogapi.Point{Accession: s.Filing.Accession})
		require.NoError(t, err)
		require.Equal(t, s.Filing, record.Filing)
		require.Equal(t, catalogapi.Field{Name: "legal_name", Value: s.LegalName}, record.Fields[0])
	}
	require.Equal(t, []string{"Larkspur First LLC", "Larkspur Second LLC", "Larkspur Third LLC"}, names)
}

// Steps, the view of the list of filings and the list of all filings decide alike which evidence of a day counts.
func TestStepsAreTheListedFilings(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	host := httpapitest.New(t, filing.Routes(filing.NewService(c.DB, c.Index, c.Clock))...)
	h := newHistory(history.NewStore(c.DB), &index.Holder{}, c.Clock)
	rng := rand.New(rand.NewPCG(17, 23))
	sources := []catalogapi.Source{catalogapi.SourceFundList, catalogapi.SourceRoster, catalogapi.SourceFeed, catalogapi.SourceADVArchive}
	for n := range 40 {
		source, id := sources[rng.IntN(len(sources))], strconv.Itoa(9100+n)
		f := catalogapi.AdviserFiling{
			Key: id, CRD: strconv.Itoa(900030 + rng.IntN(3)), Submitted: on("2026-05-01").AddDate(0, 0, rng.IntN(6)),
			Statement: catalogapi.Statement{LegalName: "Larkspur LLC"}, File: "f", Line: 1,
		}
		if source == catalogapi.SourceADVArchive {
			f.FilingID = id
		}
		c.Add(t, catalogapi.Document{Name: id, Source: source, Filings: itertest.Rows(&f)})
	}
	for i := range 3 {
		crd := strconv.Itoa(900030 + i)
		c.Withdraw(t, crd, "2026-05-0"+strconv.Itoa(3+2*i))
		timeline, err := h.Timeline(t.Context(), crd, catalogapi.Moment{})
		require.NoError(t, err)
		var got []string
		for _, s := range catalogapi.Steps(timeline) {
			got = append(got, s.Filing.Accession)
		}
		require.Less(t, len(got), len(timeline), "days with several sources")
		want, err := database.Values[string](t.Context(), c.DB, "read",
			"SELECT accession FROM catalog.pub_listed_filing WHERE crd = @crd ORDER BY version_order", database.Args{"crd": crd})
		require.NoError(t, err)
		require.ElementsMatch(t, want, got)
		var listed []string
		body := host.Do(t, httpapitest.Scenario{Path: "/v1/filings?crd=" + crd}).Body
		for _, m := range regexp.MustCompile(`"accession_number":"([^"]+)"`).FindAllStringSubmatch(body, -1) {
			listed = append(listed, m[1])
		}
		require.ElementsMatch(t, want, listed)
	}
}

// A record is what the detail answers show, field by field.
func TestRecordIsWhatDetailsShow(t *testing.T) {
	t.Parallel()
	c := fixture.New(t)
	store := history.NewStore(c.DB)
	h := newHistory(store, &index.Holder{}, c.Clock)
	host := httpapitest.New(t, append(gp.Routes(gp.NewService(c.Index, store, nil, c.Clock)), fund.Routes(fund.NewService(c.Index, store, nil, c.Clock))...)...)
	shown := func(path string) map[string]any {
		var answer struct {
			Data map[string]any `json:"data"`
		}
		require.NoError(t, json.Unmarshal([]byte(host.Do(t, httpapitest.Scenario{Path: path}).Body), &answer))
		return answer.Data
	}
	told := func(fields []catalogapi.Field) map[string]any {
		values := map[string]any{}
		for _, f := range fields {
			switch f.Value.(type) {
			case nil, string, bool, int64, float64, []string:
			default:
				require.Fail(t, "a value of another kind", "%s %T", f.Name, f.Value)
			}
			values[f.Name] = f.Value
		}
		text, err := json.Marshal(values)
		require.NoError(t, err)
		values = map[string]any{}
		require.NoError(t, json.Unmarshal(text, &values))
		return values
	}
	without := func(m map[string]any, names ...string) map[string]any {
		for _, n := range names {
			require.Contains(t, m, n)
			delete(m, n)
		}
		return m
	}
	for _, at := range []string{"", "2020-06-30"} {
		point, query := catalogapi.Point{}, ""
		if at != "" {
			point.Day, query = on(at), "?as_of="+at
		}
		record, err := h.Record(t.Context(), "900001", point)
		require.NoError(t, err)
		require.Equal(t, without(shown("/v1/gps/900001"+query), "crd", "canonical_gp_id", "not_listed_since", "source"), told(record.Fields))
		require.NotEmpty(t, record.Funds)
		for _, f := range record.Funds {
			want := without(shown("/v1/funds/"+f.FundID+query), "id", "fund_id", "adviser_name", "source")
			delete(want, "closed_between") // of closed funds alone, and no field that a comparison shows
			require.Equal(t, want, told(f.Fields))
			require.Equal(t, want["status"], f.Status)
			require.Equal(t, want["name"], f.Name)
		}
	}
	after, err := h.Record(t.Context(), "900001", catalogapi.Point{Accession: "ADV-900001-1001"})
	require.NoError(t, err)
	early, err := h.Record(t.Context(), "900001", catalogapi.Point{Moment: catalogapi.Moment{Day: on("2019-03-28")}})
	require.NoError(t, err)
	require.Equal(t, early, after)
}
