package history_test

import (
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/modules/catalog/internal/history"
	"gpatlas/modules/catalog/internal/load"
	"gpatlas/modules/catalog/internal/oracle"
	"gpatlas/modules/catalog/internal/testkit/correctiontest"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/itertest"
	"gpatlas/platform/testkit/testscale"
)

// state is what the current rows said on a day, or at an instant.
type state struct {
	day      time.Time
	advisers map[string]*fold.Adviser
	funds    map[string]*fold.Fund
}

// past is a catalog of random documents of all kinds, with the current rows of each of its days. Nobody writes to it.
type past struct {
	db     *database.DB
	store  *history.Store
	states []state // never none
}

// TestRandomHistory asks one random catalog everything. A factor of GPATLAS_TEST_ROUNDS asks as many catalogs; 3 is as
// much as when each of its parts had one of its own.
func TestRandomHistory(t *testing.T) {
	t.Parallel()
	for n := range testscale.Rounds(t, 1) {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			p := loadRandom(t, rand.New(rand.NewPCG(41, uint64(43+n))))
			for name, check := range map[string]func(t *testing.T, p *past){
				"as_of is what the catalog said then":  asOfIsWhatTheCatalogSaidThen,
				"provenance":                           provenance,
				"the timeline is every filing's state": timelineIsEveryFilingsState,
				"the timeline up to a day":             timelineUpToADay,
			} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					check(t, p)
				})
			}
		})
	}
}

// TestCorrectedHistory is the same of a catalog in which operators correct advisers and funds: an earlier day shows the corrections
// that held on it.
func TestCorrectedHistory(t *testing.T) {
	t.Parallel()
	for n := range testscale.Rounds(t, 1) {
		operator := &correctiontest.Operator{Rand: rand.New(rand.NewPCG(48, uint64(n))), CRDs: crds, Funds: fundIDs}
		asOfIsWhatTheCatalogSaidThen(t, loadCorrected(t, rand.New(rand.NewPCG(41, uint64(43+n))), operator))
		require.Greater(t, operator.Made, 15)
	}
}

// loadRandom loads documents of some days and keeps the current rows of each.
func loadRandom(t *testing.T, rng *rand.Rand) *past {
	t.Helper()
	return loadCorrected(t, rng, nil)
}

// loadCorrected is loadRandom with an operator, unless that is nil, who corrects on most days.
func loadCorrected(t *testing.T, rng *rand.Rand, operator *correctiontest.Operator) *past {
	t.Helper()
	db := dbtest.New(t)
	p := &past{db: db, store: history.NewStore(db)}
	when := date("2012-02-10")
	for i, doc := range []catalogapi.Document{counted(rng, when), listed(rng, when)} {
		_, err := load.New(db, clock.Fixed(when), slog.New(slog.DiscardHandler)).LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: int64(i + 1)})
		require.NoError(t, err)
	}
	p.states = append(p.states, currentState(t, p.store, when))
	for i := range days {
		when = when.AddDate(0, 0, 5+rng.IntN(200))
		loader := load.New(db, clock.Fixed(when), slog.New(slog.DiscardHandler))
		for _, doc := range []catalogapi.Document{randomDocument(rng, i, when), randomNotices(rng, i, when), randomWithdrawals(rng, i, when)} {
			if isEmpty(doc) || doc.Filings != nil && isQuiet(i) {
				continue
			}
			_, err := loader.LoadDocument(t.Context(), doc, catalogapi.LoadOptions{RunID: int64(i + 1), Reject: func(catalogapi.Rejected) {}})
			require.NoError(t, err)
		}
		_, err := loader.RefreshDerived(t.Context()) // fund status depends on the day
		require.NoError(t, err)
		if operator != nil {
			operator.DB = db
			operator.Act(t, when)
		}
		oracle.Check(t, db, when)
		p.states = append(p.states, currentState(t, p.store, when))
	}
	return p
}

// isEmpty says whether a document of notices or withdrawals has none.
func isEmpty(doc catalogapi.Document) bool {
	switch doc.Source {
	case catalogapi.SourceFormD:
		return none(doc.Offerings)
	case catalogapi.SourceADVW:
		return none(doc.Withdrawals)
	default:
		return false
	}
}

func none[T any](rows iter.Seq2[T, error]) bool {
	for range rows {
		return false
	}
	return true
}

func currentState(t *testing.T, store *history.Store, when time.Time) state {
	t.Helper()
	s := state{when, map[string]*fold.Adviser{}, map[string]*fold.Fund{}}
	var err error
	for _, crd := range crds {
		s.advisers[crd], err = store.FindAdviser(t.Context(), crd)
		require.NoError(t, err)
	}
	for _, id := range fundIDs {
		s.funds[id], err = store.FindFund(t.Context(), id, 0)
		require.NoError(t, err)
	}
	return s
}

// last is the state of today.
func (p *past) last() state { return p.states[len(p.states)-1] }

// atOnceAsThen asks for all advisers and funds at once, and wants what the catalog said then.
func atOnceAsThen(t *testing.T, store *history.Store, then, last *state, asOf history.AsOf) {
	t.Helper()
	advisers, err := store.AdvisersAt(t.Context(), slices.Sorted(maps.Keys(then.advisers)), asOf)
	require.NoError(t, err)
	for crd, want := range then.advisers {
		require.Empty(t, cmp.Diff(want, advisers[crd]), "%s on %s", crd, then.day)
	}
	var ids []string
	for id := range then.funds {
		if last.funds[id] != nil {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	funds, err := store.FundsAt(t.Context(), ids, asOf)
	require.NoError(t, err)
	for _, id := range ids {
		want, got := then.funds[id], funds[id]
		if want == nil {
			require.Nil(t, got)
			continue
		}
		one := *want
		one.ID = last.funds[id].ID // another one, where it went in between and came back
		require.NotNil(t, got)
		require.Empty(t, cmp.Diff(one, got.Fund), "%s on %s", id, then.day)
		require.Equal(t, then.advisers[want.AdviserCRD].LegalName, got.AdviserName)
	}
}

// What as_of says of a day is what the catalog said on that day: documents are loaded one after another, the current
// rows are kept after each, and at the end every one of those days is asked for again.
func asOfIsWhatTheCatalogSaidThen(t *testing.T, p *past) {
	t.Helper()
	last := p.last()
	compared, withdrawn, regrouped := 0, 0, 0
	for _, s := range p.states {
		atOnceAsThen(t, p.store, &s, &last, asOf(s.day))
		for crd, want := range s.advisers {
			got, err := adviserAsOf(t, p.store, last.advisers[crd], s.day)
			require.NoError(t, err)
			if want != nil {
				if want.CanonicalGPID != last.advisers[crd].CanonicalGPID {
					regrouped++
				}
				if want.WithdrawnOn != nil {
					withdrawn++
				}
				compared++
			}
			require.Empty(t, cmp.Diff(want, got), "%s on %s", crd, s.day.Format(time.DateOnly))
		}
		for id, want := range s.funds {
			if last.funds[id] == nil {
				continue
			}
			got, err := fundAsOf(t, p.store, last.funds[id], s.day)
			require.NoError(t, err)
			if want != nil {
				compared++
			}
			require.Empty(t, cmp.Diff(want, got), "%s on %s", id, s.day.Format(time.DateOnly))
		}
	}
	require.Greater(t, compared, 300)
	require.Greater(t, withdrawn, 5)
	require.Greater(t, regrouped, 20, "advisers of another organization than today")
	sold, exempt, listed := 0, 0, 0
	for _, s := range p.states {
		for _, f := range s.funds {
			if f != nil && f.VintageQuality == catalogapi.VintageList {
				listed++
			}
		}
	}
	for _, f := range last.funds {
		if f != nil && f.VintageQuality == catalogapi.VintageFormD {
			sold++
		}
		if f != nil && len(f.Exemptions) > 0 {
			exempt++
		}
	}
	require.Positive(t, sold)
	require.Positive(t, exempt)
	require.Positive(t, listed, "a vintage from a list of funds")
	netted := 0
	for _, s := range p.states {
		for _, a := range s.advisers {
			if a != nil && a.NetGAV != nil && *a.NetGAV < *a.TotalGAV {
				netted++
			}
		}
	}
	require.Positive(t, netted, "an adviser with a feeder of its own master")
}

var (
	crds    = []string{"900011", "900012", "900013", "900014"}
	fundIDs = []string{"805-0000000101", "805-0000000102", "805-0000000103", "805-0000000104", "805-0000000105", "805-0000000106"}
)

// What no catalog may be without, whatever is drawn for the rest of it: by two early archives most advisers and funds, then
// all of them, are known; one later finds the advisers to be one organization, after which one withdraws and nobody files for
// some days; and in the last one each is an organization of its own.
const (
	mostKnown, allKnown = 1, 5
	together, filesNext = 10, 19
	apart               = days - 1
	days                = 32
)

// isQuiet says whether nobody files on a day.
func isQuiet(n int) bool { return n > together && n < filesNext }

// planted says whether an adviser or a fund, one of so many, is in a day's archive for certain.
func planted(n, i, of int) bool {
	return n == allKnown || n == together || n == apart || n == mostKnown && i < of-1
}

// settle puts the advisers of some days into one organization, or each into one of its own.
func settle(f *catalogapi.AdviserFiling, n int) {
	switch n {
	case together:
		f.LegalName, f.Website = "Larkspur Hollow Capital LLC", new("https://larkspur.example.com")
	case apart:
		f.Website = catalogapi.Text("https://adviser" + f.CRD + ".example.net")
	}
}

func randomDocument(rng *rand.Rand, n int, when time.Time) catalogapi.Document {
	source := []catalogapi.Source{
		catalogapi.SourceADVArchive, catalogapi.SourceADVArchive, catalogapi.SourceRoster, catalogapi.SourceFeed, catalogapi.SourceFundList,
	}[rng.IntN(5)]
	if planted(n, 0, len(crds)) {
		source = catalogapi.SourceADVArchive
	}
	var filings []*catalogapi.AdviserFiling
	var funds []*catalogapi.FundRow
	var numbers []*catalogapi.FormDRow
	var affiliates []*catalogapi.AffiliateRow
	for i, crd := range crds {
		if rng.IntN(3) == 0 && !planted(n, i, len(crds)) {
			continue
		}
		f := randomFiling(rng, crd, when)
		f.Key = strconv.Itoa(n*10 + i + 1)
		settle(f, n)
		if source == catalogapi.SourceADVArchive {
			f.FilingID = f.Key
			f.FundsListed = rng.IntN(4) > 0
			if rng.IntN(3) == 0 && n != apart {
				affiliates = append(affiliates, &catalogapi.AffiliateRow{
					FilingKey: f.Key, CRD: crds[rng.IntN(len(crds))], CommonControl: maybe(rng, rng.IntN(3) > 0), File: "f", Line: 1,
				})
			}
		}
		filings = append(filings, f)
		if source == catalogapi.SourceRoster {
			f.ReportedFundCount, f.ReportedFundGAV = maybe(rng, int64(rng.IntN(9))), maybe(rng, int64(rng.IntN(1e9)))
			if rng.IntN(4) > 0 {
				f.ReportedFundTypes = map[string]int64{randomType(rng): 1 + rng.Int64N(3), randomType(rng): 1 + rng.Int64N(3)}
			}
			f.StatusDate = new(when.AddDate(2-rng.IntN(9), 0, 0)) // a roster is newer than the filings that it lists
			f.SECStatus = catalogapi.Text(pick(rng, "", "Approved", "Active"))
			continue
		}
		if source == catalogapi.SourceFeed {
			f.StatusDate, f.SECStatus = new(when.AddDate(1-rng.IntN(9), 0, 0)), catalogapi.Text(pick(rng, "APPROVED", "ACTIVE"))
			continue
		}
		for k, id := range fundIDs {
			if (rng.IntN(3) == 0 || planted(n, k, len(fundIDs))) && (k+i)%3 > 0 {
				funds = append(funds, randomFund(rng, f.Key, id))
				if rng.IntN(4) == 0 {
					numbers = append(numbers, &catalogapi.FormDRow{FilingKey: f.Key, ReferenceID: id, FileNumber: randomNumber(rng), File: "f", Line: 1})
				}
			}
		}
	}
	doc := catalogapi.Document{Name: fmt.Sprintf("doc-%d", n), Source: source, Filings: itertest.Rows(filings...), Funds: itertest.Rows(funds...), FormDNumbers: itertest.Rows(numbers...), Affiliates: itertest.Rows(affiliates...)}
	if source == catalogapi.SourceRoster || source == catalogapi.SourceFeed {
		doc.List, doc.Edition = string(source), func() time.Time { return when.Truncate(24 * time.Hour) }
	}
	return doc
}

// randomWithdrawals are the Forms ADV-W of a day, or of one just before it.
func randomWithdrawals(rng *rand.Rand, n int, when time.Time) catalogapi.Document {
	var rows []*catalogapi.WithdrawalRow
	for i, crd := range crds {
		gone := n == together+1 && i == 0
		if rng.IntN(4) == 0 || gone {
			rows = append(rows, &catalogapi.WithdrawalRow{
				CRD: crd, FilingID: strconv.Itoa(n*10 + i + 1), Submitted: when.AddDate(0, 0, -rng.IntN(3)), Full: rng.IntN(3) > 0 || gone, File: "w", Line: 1,
			})
		}
	}
	return catalogapi.Document{Name: fmt.Sprintf("advw-%d", n), Source: catalogapi.SourceADVW, Withdrawals: itertest.Rows(rows...)}
}

// counted is a roster that counts the funds of an adviser before any of them is listed.
func counted(rng *rand.Rand, when time.Time) catalogapi.Document {
	f := randomFiling(rng, crds[0], when)
	f.Key, f.ReportedFundCount = "1", new(int64(3))
	f.ReportedFundTypes = map[string]int64{randomType(rng): 1, "Real Estate Fund": 2}
	return catalogapi.Document{Name: "counted", Source: catalogapi.SourceRoster, Filings: itertest.Rows(f)}
}

// listed is a list that names a fund before any Form ADV does.
func listed(rng *rand.Rand, when time.Time) catalogapi.Document {
	f := &catalogapi.AdviserFiling{Key: "1", CRD: crds[1], Submitted: when, Statement: catalogapi.Statement{LegalName: "Larkspur"}, File: "f", Line: 1}
	return catalogapi.Document{Name: "listed", Source: catalogapi.SourceFundList, Filings: itertest.Rows(f), Funds: itertest.Rows(randomFund(rng, f.Key, fundIDs[5]))}
}

func randomType(rng *rand.Rand) string {
	return pick(rng, "Hedge Fund", "Venture Capital Fund", "Private Equity Fund", "Other Private Fund")
}

func randomNumber(rng *rand.Rand) string { return "021-" + strconv.Itoa(rng.IntN(30)) }

// randomNotices are the Form D notices of a day. None has a fund's name: a join by name holds for all days.
func randomNotices(rng *rand.Rand, n int, when time.Time) catalogapi.Document {
	var offerings []*catalogapi.OfferingRow
	var issuers []*catalogapi.IssuerRow
	accession := func(n, i int) string { return fmt.Sprintf("0009999999-12-%06d", n*10+i) }
	for i := range rng.IntN(4) {
		o := &catalogapi.OfferingRow{
			Accession: accession(n, i), FileNumber: randomNumber(rng), Form: "D", Filed: when, FundType: "Hedge Fund",
			Exemptions: []string{pick(rng, "06", "06b", "06c", "04"), "3C.1"}, FirstSale: when.AddDate(0, 0, rng.IntN(4000)-3900), File: "f", Line: 1,
		}
		if n > 0 && rng.IntN(3) == 0 {
			o.Form, o.FileNumber, o.PreviousAccession = "D/A", pick(rng, "", o.FileNumber), accession(rng.IntN(n), rng.IntN(4))
		}
		offerings = append(offerings, o)
		issuers = append(issuers, &catalogapi.IssuerRow{Accession: o.Accession, Seq: 1, Name: "Mossgate Issuer " + strconv.Itoa(n), File: "f", Line: 1})
	}
	return catalogapi.Document{Name: fmt.Sprintf("notices-%d", n), Source: catalogapi.SourceFormD, Offerings: itertest.Rows(offerings...), Issuers: itertest.Rows(issuers...)}
}

func randomFiling(rng *rand.Rand, crd string, when time.Time) *catalogapi.AdviserFiling {
	f := &catalogapi.AdviserFiling{
		CRD: crd, Submitted: when.Add(time.Duration(rng.IntN(86400)) * time.Second),
		Statement: catalogapi.Statement{
			LegalName: pick(rng, "Larkspur Hollow Capital LLC", "Larkspur Hollow Partners LP", "Mossgate Advisers Ltd"),
			SECNumber: catalogapi.Text(pick(rng, "", "801-1", "802-2")),
			City:      catalogapi.Text(pick(rng, "", "Boston", "BOSTON", "London")), State: catalogapi.Text(pick(rng, "", "MA", "NY")),
			Country: catalogapi.Text(pick(rng, "", "United States", "United Kingdom", "Ruritania")),
			Street1: catalogapi.Text(pick(rng, "", "1 Example Street")), Street2: catalogapi.Text(pick(rng, "", "Floor 2")),
			PostalCode: catalogapi.Text(pick(rng, "", "02110")), Phone: catalogapi.Text(pick(rng, "", "617-555-0100")),
			Website:      catalogapi.Text(pick(rng, "", "https://larkspur.example.com", "https://www.larkspur.example.com:8443/uk", "https://mossgate.example.org")),
			BusinessName: catalogapi.Text(pick(rng, "", "Larkspur")), EmployeeCount: maybe(rng, int64(rng.IntN(100))),
			RAUM: maybe(rng, int64(rng.IntN(1e9))), AdvisesFunds: maybe(rng, rng.IntN(2) == 0),
			PrivateResidence: maybe(rng, rng.IntN(3) == 0), OrgState: catalogapi.Text(pick(rng, "", "Delaware")),
		},
		Basis: catalogapi.Basis{Registration: catalogapi.Text(pick(rng, "", "registered", "registered", "exempt_reporting"))},
		File:  "f", Line: 1,
	}
	switch rng.IntN(8) { // of a document that has no such columns
	case 0, 4:
		f.Silent = []string{catalogapi.FieldRAUM, catalogapi.FieldCity, catalogapi.FieldSECNumber, catalogapi.FieldAdvisesFunds}
		f.RAUM, f.City, f.SECNumber, f.AdvisesFunds = nil, nil, nil, nil
	case 2:
		f.Silent = []string{catalogapi.FieldStreet1, catalogapi.FieldStreet2, catalogapi.FieldState, catalogapi.FieldPostalCode}
		f.Street1, f.Street2, f.State, f.PostalCode = nil, nil, nil, nil
	case 5:
		f.Silent = []string{catalogapi.FieldStreet2, catalogapi.FieldCity, catalogapi.FieldCountry, catalogapi.FieldResidence}
		f.Street2, f.City, f.Country, f.PrivateResidence = nil, nil, nil, nil
	}
	amounts(f)
	others(f)
	return f
}

// others states now and then what nothing above states, columns that came later among it. Like silence it draws no number of the others.
func others(f *catalogapi.AdviserFiling) {
	crd, _ := strconv.ParseUint(f.CRD, 10, 64)
	rng := rand.New(rand.NewPCG(uint64(f.Submitted.Unix()), crd))
	v := reflect.ValueOf(&f.Statement).Elem()
	for _, c := range catalogapi.ColumnsOf(v.Type()) {
		field, answer := v.FieldByIndex(c.Path), int64(rng.IntN(8))
		if answer > 1 || slices.Contains(f.Silent, c.Name) || field.Kind() != reflect.Pointer || !field.IsNil() {
			continue
		}
		switch to := field.Addr().Interface().(type) {
		case **string:
			*to = new("Answer " + strconv.FormatInt(answer, 10))
		case **int64:
			*to = &answer
		case **bool:
			*to = new(answer == 0)
		}
	}
}

// amounts fills in the groups of fields, and takes out some of them with the place. Like silence it draws no number of the
// others.
func amounts(f *catalogapi.AdviserFiling) {
	crd, _ := strconv.ParseUint(f.CRD, 10, 64)
	rng := rand.New(rand.NewPCG(crd, uint64(f.Submitted.Unix())))
	part := int64(rng.IntN(2))
	f.RAUMDiscretionary, f.RAUMNonDiscretionary, f.OrgCountry = maybe(rng, part), maybe(rng, part+1), catalogapi.Text(pick(rng, "", "United States", "Ruritania"))
	if f.RAUM != nil && rng.IntN(2) == 0 {
		f.RAUM = new(int64(7))
	}
	if f.Silent != nil {
		return
	}
	switch rng.IntN(5) {
	case 0:
		f.Silent = []string{catalogapi.FieldCity, catalogapi.FieldState, catalogapi.FieldCountry, catalogapi.FieldRAUMDiscretion, catalogapi.FieldOrgState}
		f.City, f.State, f.Country, f.RAUMDiscretionary, f.OrgState = nil, nil, nil, nil, nil
	case 1:
		f.Silent = []string{catalogapi.FieldRAUM, catalogapi.FieldRAUMDiscretion, catalogapi.FieldOrgCountry}
		f.RAUM, f.RAUMDiscretionary, f.OrgCountry = nil, nil, nil
	case 2:
		f.Silent = []string{catalogapi.FieldRAUMDiscretion, catalogapi.FieldRAUMNonDiscr}
		f.RAUMDiscretionary, f.RAUMNonDiscretionary = nil, nil
	}
}

func randomFund(rng *rand.Rand, filing, id string) *catalogapi.FundRow {
	f := &catalogapi.FundRow{
		FilingKey: filing, ReferenceID: id, FundID: id, File: "f", Line: 1,
		Name:  pick(rng, "Larkspur Growth Fund", "Larkspur Fund I", "Larkspur Fund I (in liquidation)", "Larkspur Credit LP"),
		State: pick(rng, "", "Delaware"), Country: pick(rng, "", "United States", "Cayman Islands"),
		FundType: pick(rng, "", "Private Equity Fund", "Hedge Fund", "Other Private Fund"), FundTypeOther: pick(rng, "", "loans"),
		GAV: maybe(rng, int64(rng.IntN(1000))<<rng.IntN(20)), Owners: maybe(rng, int64(rng.IntN(50))), Is3C1: maybe(rng, true),
		IsFundOfFunds: maybe(rng, rng.IntN(2) == 0),
	}
	if f.Is3C1 != nil && f.Country != "" { // no number is drawn, as in silence
		f.IsFeeder, f.MasterName = new(f.State != "" || f.GAV == nil), f.FundTypeOther
		f.MasterFundID = map[bool]string{true: "805-0000000109"}[f.FundType != ""]
		if f.FundTypeOther != "" { // a fund of the random ones
			f.MasterFundID = fundIDs[0]
			if id == fundIDs[0] {
				f.MasterFundID = fundIDs[1]
			}
		}
	}
	silence(f)
	return f
}

// silence takes out of some funds what their document has no columns for. It draws no number, so that the rest stays as it is.
func silence(f *catalogapi.FundRow) {
	switch {
	case f.Owners != nil && *f.Owners%4 == 0:
		f.Silent = []string{catalogapi.FieldState, catalogapi.FieldFundTypeOther, catalogapi.FieldFundOfFunds, catalogapi.FieldFundIs3C1}
		f.State, f.FundTypeOther, f.IsFundOfFunds, f.Is3C1 = "", "", nil, nil
		f.Silent, f.MasterFundID = append(f.Silent, catalogapi.FieldFundMasterID), ""
	case f.GAV != nil && *f.GAV%4 == 1:
		f.Silent = []string{catalogapi.FieldFundType, catalogapi.FieldFundOwners, catalogapi.FieldCountry}
		f.FundType, f.Owners, f.Country = "", nil, ""
		f.Silent, f.IsFeeder, f.MasterName = append(f.Silent, catalogapi.FieldFundIsFeeder, catalogapi.FieldFundMasterName), nil, ""
	}
}

func pick(rng *rand.Rand, of ...string) string { return of[rng.IntN(len(of))] }

func maybe[T any](rng *rand.Rand, v T) *T {
	if rng.IntN(3) == 0 {
		return nil
	}
	return &v
}
