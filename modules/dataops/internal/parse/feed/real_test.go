package feed_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/testkit/realdata"
)

// flattened is the feed's firms as dotted columns, as their publisher left them.
func flattened(tb testing.TB) []map[string]string {
	tb.Helper()
	file, err := os.Open(realdata.File(tb, "iapd-firm-feed/big_firms.csv"))
	require.NoError(tb, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	require.NoError(tb, err)
	var out []map[string]string
	for _, row := range rows[1:] {
		m := make(map[string]string)
		for i, name := range rows[0] {
			m[name] = row[i]
		}
		out = append(out, m)
	}
	return out
}

var (
	dict = regexp.MustCompile(`\{([^{}]*)\}`)
	pair = regexp.MustCompile(`'(\w+)': (?:'([^']*)'|"([^"]*)")`)
)

// dicts reads the Python list of dictionaries that the publisher wrote for elements which may stand there several times.
func dicts(repr string) [][][2]string {
	var out [][][2]string
	for _, d := range dict.FindAllStringSubmatch(repr, -1) {
		var attrs [][2]string
		for _, p := range pair.FindAllStringSubmatch(d[1], -1) {
			attrs = append(attrs, [2]string{p[1], p[2] + p[3]})
		}
		out = append(out, attrs)
	}
	return out
}

// rebuilt turns a flattened firm back into its element.
func rebuilt(columns []string, m map[string]string) string {
	firm := &node{name: "Firm"}
	for _, column := range columns {
		v := m[column]
		switch {
		case column == "id" || v == "":
		case column == "Rgstn", column == "Filing":
			for _, attrs := range dicts(v) {
				firm.children = append(firm.children, &node{name: column, attrs: attrs})
			}
		case column == "NoticeFiled.States":
			for _, attrs := range dicts(v) {
				notices := firm.child("NoticeFiled")
				notices.children = append(notices.children, &node{name: "States", attrs: attrs})
			}
		default:
			path := strings.Split(column, ".")
			at := firm
			for _, name := range path[:len(path)-1] {
				at = at.child(name)
			}
			if name := path[len(path)-1]; name == "WebAddr" {
				at.child(name).text = v
			} else {
				at.attrs = append(at.attrs, [2]string{name, v})
			}
		}
	}
	var b strings.Builder
	firm.write(&b)
	return b.String()
}

func columnsOf(tb testing.TB) []string {
	tb.Helper()
	file, err := os.Open(realdata.File(tb, "iapd-firm-feed/big_firms.csv"))
	require.NoError(tb, err)
	defer file.Close()
	header, err := csv.NewReader(file).Read()
	require.NoError(tb, err)
	return header
}

// rebuiltFeed is the feed of the flattened firms, in ISO-8859-1, each of them copied so many times under other CRD numbers.
func rebuiltFeed(tb testing.TB, copies int) []byte {
	tb.Helper()
	columns, firms := columnsOf(tb), []string{}
	for i := range copies {
		for n, m := range flattened(tb) {
			if i > 0 {
				m["Info.FirmCrdNb"] = strconv.Itoa(10_000_000*i + n + 1)
			}
			firms = append(firms, rebuilt(columns, m))
		}
	}
	return latin1(tb, document("IAPDFirmSECReport", "2023-12-31", firms...))
}

// TestRealFeed turns the flattened feed back into a feed and reads it: every firm comes out with the values of its row.
func TestRealFeed(t *testing.T) {
	t.Parallel()
	rows := flattened(t)
	require.Len(t, rows, 628)
	d := mustDrain(t, write(t, "IA_FIRM_SEC_Feed_12_31_2023.xml", rebuiltFeed(t, 1)))
	require.Empty(t, d.reasons())
	require.Len(t, d.filings, 628)
	require.Empty(t, d.websites, "the publisher kept one address of each firm")
	require.Equal(t, "iapd_feed/sec", d.opened.Series)
	require.True(t, d.opened.Snapshot)
	require.Zero(t, d.opened.Repeated())
	require.Len(t, d.opened.Layout["firm"], 26)
	leis, residual := 0, 0
	for i, f := range d.filings {
		requireRow(t, rows[i], f)
		if catalogapi.TextOf(f.LEI) != "" {
			leis++
		} else if rows[i]["FormInfo.Part1A.Item1.Q1P"] != "" {
			residual++
		}
	}
	t.Logf("628 firms read and given, none quarantined; %d with an LEI, %d with something else in its place", leis, residual)
}

// requireRow compares a filing with its row, value by value, by rules written for this test alone.
func requireRow(t *testing.T, m map[string]string, f *catalogapi.AdviserFiling) {
	t.Helper()
	text := func(column string) string { return strings.Join(strings.Fields(m[column]), " ") }
	number := func(p *int64) string {
		if p == nil {
			return ""
		}
		return strconv.FormatInt(*p, 10)
	}
	const part = "FormInfo.Part1A."
	filing, registration := dicts(m["Filing"]), dicts(m["Rgstn"])
	require.Len(t, filing, 1)
	require.Len(t, registration, 1)
	crd := m["Info.FirmCrdNb"]
	lei := m[part+"Item1.Q1P"]
	if !regexp.MustCompile(`^[0-9A-Za-z]{20}$`).MatchString(lei) {
		lei = ""
	}
	want := []string{
		crd, "CRD:" + crd, text("Info.LegalNm"), text("Info.BusNm"), text("Info.SECNb"),
		text("MainAddr.Strt1"), text("MainAddr.Strt2"), text("MainAddr.City"), text("MainAddr.State"), text("MainAddr.Cntry"), text("MainAddr.PostlCd"), text("MainAddr.PhNb"),
		"registered", registration[0][1][1], registration[0][2][1], filing[0][0][1], filing[0][1][1],
		strings.ToUpper(lei), text(part + "Item1.WebAddrs.WebAddr"), text(part + "Item3A.OrgFormNm"), text(part + "Item3B.Q3B"),
		text(part + "Item3C.StateCD"), text(part + "Item3C.CntryNm"),
		m[part+"Item5A.TtlEmp"], m[part+"Item5F.Q5F2A"], m[part+"Item5F.Q5F2B"], m[part+"Item5F.Q5F2C"],
	}
	got := []string{
		f.CRD, f.Key, f.LegalName, catalogapi.TextOf(f.BusinessName), catalogapi.TextOf(f.SECNumber), catalogapi.TextOf(f.Street1), catalogapi.TextOf(f.Street2), catalogapi.TextOf(f.City), catalogapi.TextOf(f.State), catalogapi.TextOf(f.Country), catalogapi.TextOf(f.PostalCode), catalogapi.TextOf(f.Phone),
		string(catalogapi.Registration(catalogapi.TextOf(f.Registration))), catalogapi.TextOf(f.SECStatus), f.StatusDate.Format(time.DateOnly), f.Submitted.Format(time.DateOnly), catalogapi.TextOf(f.FormVersion),
		catalogapi.TextOf(f.LEI), catalogapi.TextOf(f.Website), catalogapi.TextOf(f.OrgForm), catalogapi.TextOf(f.FiscalYearEnd), catalogapi.TextOf(f.OrgState), catalogapi.TextOf(f.OrgCountry),
		number(f.EmployeeCount), number(f.RAUMDiscretionary), number(f.RAUMNonDiscretionary), number(f.RAUM),
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		for i := range want {
			require.Equal(t, want[i], got[i], "CRD %s, value %d", crd, i)
		}
	}
	require.NotNil(t, f.AdvisesFunds)
	require.Equal(t, m[part+"Item7B.Q7B"] == "Y", *f.AdvisesFunds)
	require.False(t, f.FundsListed)
	require.Empty(t, f.FilingID)
}

// sample builds an element of a firm's JSON as a mirror of the feed gives it: objects are elements, lists are elements
// that stand there several times, all else is attributes.
func sample(name string, v map[string]any) *node {
	n := &node{name: name}
	for key, value := range v {
		switch x := value.(type) {
		case map[string]any:
			n.children = append(n.children, sample(key, x))
		case []any:
			for _, one := range x {
				if m, ok := one.(map[string]any); ok {
					n.children = append(n.children, sample(key, m))
				}
			}
		case float64:
			n.attrs = append(n.attrs, [2]string{key, strconv.FormatFloat(x, 'f', -1, 64)})
		default:
			n.attrs = append(n.attrs, [2]string{key, fmt.Sprint(x)})
		}
	}
	return n
}

// TestRealSample reads the one firm of the mirror's sample, an exempt reporting adviser.
func TestRealSample(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(realdata.File(t, "sec-api-samples/form-adv-firms.json"))
	require.NoError(t, err)
	var outer struct{ Text string }
	require.NoError(t, json.Unmarshal(content, &outer))
	var reply struct{ Filings []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(outer.Text), &reply))
	require.Len(t, reply.Filings, 1)
	delete(reply.Filings[0], "id")
	var b strings.Builder
	sample("Firm", reply.Filings[0]).write(&b)
	d := mustDrain(t, write(t, "IA_FIRM_SEC_Feed_08_21_2026.xml", latin1(t, document("IAPDFirmSECReport", "2026-08-21", b.String()))))
	require.Empty(t, d.reasons())
	require.Len(t, d.filings, 1)
	f, info := d.filings[0], reply.Filings[0]["Info"].(map[string]any)
	require.Equal(t, "344073", f.CRD)
	require.Equal(t, info["LegalNm"], f.LegalName)
	require.Equal(t, "802-137266", catalogapi.TextOf(f.SECNumber))
	require.Equal(t, catalogapi.ExemptReporting, catalogapi.Registration(catalogapi.TextOf(f.Registration)))
	require.Equal(t, "ACTIVE", catalogapi.TextOf(f.SECStatus))
	require.Equal(t, "2026-08-11", f.Submitted.Format(time.DateOnly))
	require.Equal(t, "2026-08-11", f.StatusDate.Format(time.DateOnly))
	require.Equal(t, "10/2021", catalogapi.TextOf(f.FormVersion))
	require.Equal(t, "10016", catalogapi.TextOf(f.PostalCode))
	require.Equal(t, "Limited Liability Company", catalogapi.TextOf(f.OrgForm))
	require.Equal(t, "DECEMBER", catalogapi.TextOf(f.FiscalYearEnd))
	require.Equal(t, "CO", catalogapi.TextOf(f.OrgState))
	require.True(t, *f.AdvisesFunds)
	require.Nil(t, f.EmployeeCount, "exempt reporting advisers do not answer item 5")
	require.Nil(t, f.RAUM)
}
