package feed_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
)

const (
	sec   = "IAPDFirmSECReport"
	state = "IAPDFirmStateReport"
	day   = "2026-09-16"
)

// whole is a registered adviser with everything that is read, and some that is not.
const whole = `<Firm>
<Info SECRgnCD="NYRO" FirmCrdNb="0004711" SECNb="801-135399" BusNm="HALCYON &#8220;RIDGE&#8221;" LegalNm="HALCYON RIDGE
 GESTÃO &amp; CAPITAL" UmbrRgstn="N"/>
<MainAddr Strt1="1 PIER ROAD" Strt2="SUITE 2" City="BOSTON" State="MA" Cntry="United States" PostlCd="02110" PhNb="617-555-0100" FaxNb=""/>
<MailingAddr Strt1="PO BOX 1" City="ELSEWHERE"/>
<Rgstn FirmType="Registered" St="APPROVED" Dt="2020-02-24"/>
<NoticeFiled><States RgltrCd="NY" St="FILED" Dt="2026-02-24"/></NoticeFiled>
<Filing Dt="2026-03-04" FormVrsn="10/2021"/>
<Novelty Strt1="NOT AN ADDRESS"><Deeper/></Novelty>
<FormInfo><Part1A><Item1 Q1F5="0" Q1P="529900ABCDEFGHIJKL12"><WebAddrs><WebAddr>HTTPS://WWW.LINKEDIN.COM/COMPANY/HALCYON</WebAddr>
<WebAddr><![CDATA[https://www.halcyonridge.example?a=1&b=2]]></WebAddr><WebAddr> </WebAddr></WebAddrs></Item1>
<Item2A Q2A1="Y"/><Item3A OrgFormNm="Limited Liability Company"/><Item3B Q3B="DECEMBER"/><Item3C StateCD="DE" CntryNm="United States"/>
<Item5A TtlEmp="54"/><Item5F Q5F1="Y" Q5F2A="321687148" Q5F2B="0" Q5F2C="321687148"/><Item7B Q7B="Y"/></Part1A></FormInfo></Firm>`

// exempt is an exempt reporting adviser: its items 5 are empty.
const exempt = `<Firm><Info FirmCrdNb="343311" SECNb="802-137268" BusNm="" LegalNm="KATABATIC PARTNERS LTD"/><MainAddr City="LONDON" Cntry="United Kingdom"/>` +
	`<Rgstn FirmType="ERA" St="ACTIVE" Dt="2026-06-11"/><Filing Dt="2026-06-11" FormVrsn="10/2021"/>` +
	`<FormInfo><Part1A><Item1><WebAddrs><WebAddr>HTTPS://WWW.KATABATIC.EXAMPLE</WebAddr></WebAddrs></Item1><Item5A/><Item5F/><Item7B Q7B="N"/></Part1A></FormInfo></Firm>`

// firm is a firm with what the test is about.
func firm(crd, rest string) string {
	return `<Firm><Info FirmCrdNb="` + crd + `" LegalNm="ALDERMOOR ` + crd + `"/>` + rest + `</Firm>`
}

func zipped(tb testing.TB, members map[string][]byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range members {
		w, err := z.Create(name)
		require.NoError(tb, err)
		_, err = w.Write(content)
		require.NoError(tb, err)
	}
	require.NoError(tb, z.Close())
	return b.Bytes()
}

func gzipped(tb testing.TB, content []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(content)
	require.NoError(tb, err)
	require.NoError(tb, z.Close())
	return b.Bytes()
}

func TestFeed(t *testing.T) {
	t.Parallel()
	content := latin1(t, document(sec, day, whole, exempt))
	require.Contains(t, string(content), "GEST\xc3O", "the feed is not UTF-8")
	const name = "IA_FIRM_SEC_Feed_09_16_2026.xml"
	for container, path := range map[string]string{
		"plain":      write(t, name, content),
		"blank line": write(t, name, append([]byte("\r\n"), content...)),
		"gzip":       write(t, name+".gz", gzipped(t, content)),
		"zip":        write(t, "download.zip", zipped(t, map[string][]byte{"in/" + name: content, "in/readme.txt": []byte("x")})),
	} {
		d := mustDrain(t, path)
		require.Empty(t, d.reasons(), container)
		require.Equal(t, catalogapi.SourceFeed, d.opened.Document.Source)
		requireWhole(t, d, container == "blank line")
	}
}

func requireWhole(t *testing.T, d *drained, shifted bool) {
	t.Helper()
	const name = "IA_FIRM_SEC_Feed_09_16_2026.xml"
	yes, no, employees, raum, none := true, false, int64(54), int64(321687148), int64(0)
	line := 3
	if shifted {
		line = 4
	}
	require.Len(t, d.filings, 2)
	require.Equal(t, &catalogapi.AdviserFiling{
		Key: "CRD:4711", CRD: "4711", Submitted: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC),
		Basis: catalogapi.Basis{
			FormVersion: new("10/2021"), Registration: new(string(catalogapi.Registered)),
			StatusDate: new(time.Date(2020, 2, 24, 0, 0, 0, 0, time.UTC)),
		},
		Statement: catalogapi.Statement{
			LegalName: "HALCYON RIDGE GESTÃO & CAPITAL", BusinessName: new("HALCYON “RIDGE”"), SECNumber: new("801-135399"),
			SECStatus: new("APPROVED"), Street1: new("1 PIER ROAD"), Street2: new("SUITE 2"), City: new("BOSTON"), State: new("MA"),
			Country: new("United States"), PostalCode: new("02110"), Phone: new("617-555-0100"),
			Website: new("HTTPS://WWW.LINKEDIN.COM/COMPANY/HALCYON"), LEI: new("529900ABCDEFGHIJKL12"), EmployeeCount: &employees,
			RAUM: &raum, RAUMDiscretionary: &raum, RAUMNonDiscretionary: &none, OrgForm: new("Limited Liability Company"),
			FiscalYearEnd: new("DECEMBER"), OrgState: new("DE"), OrgCountry: new("United States"), AdvisesFunds: &yes,
		},
		File: name, Line: line,
	}, d.filings[0])
	require.Equal(t, "https://www.halcyonridge.example?a=1&b=2", d.websites[1].Website)
	require.Equal(t, "CRD:4711", d.websites[1].FilingKey)
	require.Len(t, d.websites, 2, "one address alone stands in the filing")
	require.Equal(t, &catalogapi.AdviserFiling{
		Key: "CRD:343311", CRD: "343311", Submitted: time.Date(2026, 6, 11, 0, 0, 0, 0, time.UTC),
		Basis: catalogapi.Basis{
			FormVersion: new("10/2021"), Registration: new(string(catalogapi.ExemptReporting)),
			StatusDate: new(time.Date(2026, 6, 11, 0, 0, 0, 0, time.UTC)),
		},
		Statement: catalogapi.Statement{
			LegalName: "KATABATIC PARTNERS LTD", SECNumber: new("802-137268"), SECStatus: new("ACTIVE"), City: new("LONDON"),
			Country: new("United Kingdom"), Website: new("HTTPS://WWW.KATABATIC.EXAMPLE"), AdvisesFunds: &no,
		},
		File: name, Line: line + 13,
	}, d.filings[1])
	require.Contains(t, d.opened.Layout["firm"], "item5f@q5f2c")
}

// TestStateFeed: firms registered with states alone are under neither of the SEC's regimes.
func TestStateFeed(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, write(t, "IA_FIRM_STATE_Feed_09_16_2026.xml", latin1(t, document(state, day,
		firm("1", `<StateRgstn><Rgltrs><Rgltr Cd="VA" St="APPROVED" Dt="2023-01-03"/></Rgltrs></StateRgstn><Filing Dt="2026-03-04"/>`),
		firm("2", `<Rgstn FirmType="ERA" St="ACTIVE" Dt="2020-01-01"/><Filing Dt="2026-03-04"/>`)))))
	require.Empty(t, d.reasons())
	require.Equal(t, "iapd_feed/state", d.opened.Series)
	require.Empty(t, catalogapi.Registration(catalogapi.TextOf(d.filings[0].Registration)))
	require.Empty(t, catalogapi.TextOf(d.filings[0].SECStatus))
	require.Equal(t, catalogapi.ExemptReporting, catalogapi.Registration(catalogapi.TextOf(d.filings[1].Registration)))
}

func TestFeedQuarantine(t *testing.T) {
	t.Parallel()
	const filing = `<Filing Dt="2026-03-04"/>`
	d, err := drain(t.Context(), write(t, "feed.xml", latin1(t, document(sec, day,
		firm("1", filing),
		firm("", filing),
		firm("801-2", filing),
		`<Firm><Info FirmCrdNb="3"/>`+filing+`</Firm>`,
		firm("4", ""),
		firm("5", `<Filing Dt="2026-02-30"/>`),
		firm("6", `<Filing Dt="2026-09-17"/>`),
		firm("7", `<Filing Dt="2029-01-01"/>`),
		firm("8", filing+`<Item5A TtlEmp="-1"/>`),
		firm("9", filing+`<Item5F Q5F2C="lots"/>`),
		firm("10", filing+`<Item7B Q7B="maybe"/>`),
		firm("1", `<Filing Dt="2026-03-03"/>`),
		firm("11", `<Filing Dt="2026-03-03"/>`),
		firm("11", `<Filing Dt="2026-03-04"/>`),
	))), parse.Options{NotAfter: time.Date(2026, 9, 20, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Equal(t, []string{
		"feed.xml:4: Info@FirmCrdNb is blank",
		`feed.xml:5: Info@FirmCrdNb is not a CRD number (1 to 10 digits): "801-2"`,
		"feed.xml:6: Info@LegalNm is blank",
		"feed.xml:7: Filing@Dt is blank, and Rgstn@Dt is too",
		`feed.xml:8: Filing@Dt is not a date: "2026-02-30"`,
		"feed.xml:9: Filing@Dt is after the day of the feed (GenOn 2026-09-16): 2026-09-17",
		"feed.xml:10: Filing@Dt is in the future: 2029-01-01",
		`feed.xml:11: Item5A@TtlEmp is negative: "-1"`,
		`feed.xml:12: Item5F@Q5F2C is not an amount in dollars: "lots"`,
		`feed.xml:13: Item7B@Q7B is neither Y nor N: "maybe"`,
		"feed.xml:14: Info@FirmCrdNb 1 is in the feed twice: firm 1 (line 3) is used",
		"feed.xml:15: Info@FirmCrdNb 11 is in the feed twice: firm 14 (line 16) is used",
	}, d.reasons())
	require.Equal(t, `Info@FirmCrdNb="801-2" Info@LegalNm="ALDERMOOR 801-2" Filing@Dt="2026-03-04"`, d.rejected[1].Raw)
	require.Len(t, d.filings, 2)
	require.Equal(t, "2026-03-04", d.filings[1].Submitted.Format(time.DateOnly))
	require.Equal(t, int64(2), d.opened.Repeated())
}

// TestFeedDoubt: what the feed's makers never showed us is settled the same way every day.
func TestFeedDoubt(t *testing.T) {
	t.Parallel()
	const filing = `<Filing Dt="2026-03-04" FormVrsn="10/2021"/>`
	d := mustDrain(t, write(t, "feed.xml", latin1(t, document(sec, day,
		firm("1", `<Rgstn FirmType="Registered" St="APPROVED" Dt="2020-02-24"/><Filing/>`),
		firm("2", `<Filing Dt="2025-01-01" FormVrsn="09/2020"/>`+filing+`<Filing Dt="2026-01-01" FormVrsn="09/2021"/>`),
		firm("3", filing+`<Rgstn FirmType="Registered" St="TERMINATED" Dt="2026-02-24"/><Rgstn FirmType="ERA" St="ACTIVE" Dt="2026-01-24"/>`),
		firm("4", filing+`<Rgstn FirmType="ERA" St="TERMINATED" Dt="2025-01-24"/><Rgstn FirmType="Registered" St="TERMINATED" Dt="2026-02-24"/>`),
		`<Firm><Info FirmCrdNb="5" LegalNm="A" SECNb="802-5"/>`+filing+`</Firm>`,
		`<Firm><Info FirmCrdNb="6" LegalNm="A" SECNb="8-12345"/>`+filing+`<Firm><Info FirmCrdNb="7" LegalNm="B"/></Firm></Firm>`,
		firm("8", filing+`<Item1 Q1P="N/A"/>`),
	))))
	require.Empty(t, d.reasons())
	require.Len(t, d.filings, 7)
	require.Equal(t, "2020-02-24", d.filings[0].Submitted.Format(time.DateOnly))
	require.Equal(t, "2026-03-04 10/2021", d.filings[1].Submitted.Format(time.DateOnly)+" "+catalogapi.TextOf(d.filings[1].FormVersion))
	require.Equal(t, catalogapi.ExemptReporting, catalogapi.Registration(catalogapi.TextOf(d.filings[2].Registration)))
	require.Equal(t, "ACTIVE", catalogapi.TextOf(d.filings[2].SECStatus))
	require.Equal(t, catalogapi.Registered, catalogapi.Registration(catalogapi.TextOf(d.filings[3].Registration)))
	require.Equal(t, catalogapi.ExemptReporting, catalogapi.Registration(catalogapi.TextOf(d.filings[4].Registration)), "told by the number")
	require.Equal(t, "6", d.filings[5].CRD)
	require.Empty(t, catalogapi.TextOf(d.filings[5].SECNumber), "a broker-dealer's number is not the adviser's")
	require.Empty(t, catalogapi.TextOf(d.filings[6].LEI))
}

// TestFeedRefused: damaged and hostile feeds are refused with a sentence, before anything is given.
func TestFeedRefused(t *testing.T) {
	t.Parallel()
	good := document(sec, day, whole, exempt)
	declaration := `<?xml version="1.0" encoding="ISO-8859-1"?>`
	body := strings.TrimPrefix(good, declaration)
	for name, c := range map[string]struct{ content, want string }{
		"cut short":         {good[:len(good)-400], "malformed or cut short at line 16"},
		"cut at a firm":     {document(sec, day, whole)[:len(document(sec, day, whole))-30], "cut short"},
		"doctype":           {declaration + `<!DOCTYPE IAPDFirmSECReport [<!ENTITY x "y">]>` + body, "DOCTYPE"},
		"external doctype":  {declaration + `<!DOCTYPE IAPDFirmSECReport SYSTEM "file:///etc/passwd">` + body, "DOCTYPE"},
		"entity":            {strings.Replace(good, "BOSTON", "&xxe;", 1), "invalid character entity"},
		"entity in a text":  {strings.Replace(good, "HTTPS://WWW.KATABATIC", "&xxe;", 1), "invalid character entity"},
		"charset":           {strings.Replace(good, "ISO-8859-1", "EBCDIC-CP-US", 1), "its charset EBCDIC-CP-US is unknown"},
		"version":           {strings.Replace(good, `version="1.0"`, `version="1.1"`, 1), "unsupported version"},
		"not closed":        {strings.Replace(good, "</NoticeFiled>", "", 1), "malformed"},
		"second root":       {good + `<IAPDFirmSECReport/>`, "a second root"},
		"text behind":       {good + `junk`, "outside the root"},
		"deep":              {document(sec, day, strings.Repeat("<a>", 100)+strings.Repeat("</a>", 100)), "nest deeper than 64"},
		"long attribute":    {document(sec, day, firm("1", `<Filing Dt="`+strings.Repeat("1", 2<<20)+`"/>`)), "longer than 1 MiB"},
		"long text":         {document(sec, day, firm("1", `<WebAddr>`+strings.Repeat("w", 2<<20)+`</WebAddr>`)), "than 1 MiB"},
		"long comment":      {document(sec, day, "<!--"+strings.Repeat("x", 2<<20)+"-->"), "longer than 1 MiB"},
		"large firm":        {document(sec, day, firm("1", strings.Repeat(`<Filing Dt="2026-03-04"/>`, 60_000))), "a firm's element is larger than 1 MiB"},
		"no firm":           {document(sec, day), "contains no firm"},
		"no day":            {document(sec, "yesterday", whole), `GenOn, the feed's day, is not a date: "yesterday"`},
		"control character": {strings.Replace(good, "BOSTON", "BOS\x01TON", 1), "illegal character code"},
	} {
		got := refused(t, write(t, "feed.xml", latin1(t, c.content)))
		require.Contains(t, got, c.want, name)
		require.Contains(t, got, "feed.xml", name)
		require.NotContains(t, got, "\n", name)
	}
	packed := gzipped(t, latin1(t, good))
	require.Contains(t, refused(t, write(t, "feed.xml.gz", packed[:len(packed)-20])), "truncated or damaged")
	require.Contains(t, refused(t, write(t, "indvl.xml", latin1(t, document("IAPDIndividualReport", day, "")))), "IAPD firm feed (no root element IAPDFirmSECReport or ")
	require.Contains(t, refused(t, write(t, "feed.xml", []byte("\xff\xfe<\x00"))), "UTF-16")
}

// TestFeedCharset: the bytes 80 to 9F, which ISO-8859-1 leaves undefined, are what Windows programs mean by them; a text
// without a declaration is UTF-8, and one wrong byte in it costs nothing.
func TestFeedCharset(t *testing.T) {
	t.Parallel()
	content := bytes.Replace(latin1(t, document(sec, day, whole)), []byte("BOSTON"), []byte("O\x92FALLON"), 1)
	require.Equal(t, "O’FALLON", catalogapi.TextOf(mustDrain(t, write(t, "feed.xml", content)).filings[0].City))
	utf8 := strings.TrimPrefix(document(sec, day, whole, exempt), `<?xml version="1.0" encoding="ISO-8859-1"?>`)
	d := mustDrain(t, write(t, "feed.xml", []byte("\xef\xbb\xbf"+strings.Replace(utf8, "LONDON", "M\xfcNCHEN", 1))))
	require.Equal(t, "HALCYON RIDGE GESTÃO & CAPITAL", d.filings[0].LegalName)
	require.Equal(t, "MüNCHEN", catalogapi.TextOf(d.filings[1].City))
}

func TestFeedStops(t *testing.T) {
	t.Parallel()
	path := write(t, "feed.xml", latin1(t, document(sec, day, whole, exempt)))
	cause := errors.New("the operator is tired")
	ctx, cancel := context.WithCancelCause(t.Context())
	opened, err := parse.Open(ctx, path, parse.Options{Reject: func(catalogapi.Rejected) {}})
	require.NoError(t, err)
	for range opened.Document.Filings {
		break // a consumer may stop at any row
	}
	cancel(cause)
	for _, err := range opened.Document.Filings {
		require.ErrorIs(t, err, cause)
	}
	require.NoError(t, opened.Close())
	_, err = parse.Open(ctx, path, parse.Options{Reject: func(catalogapi.Rejected) {}})
	require.ErrorIs(t, err, cause)
}
