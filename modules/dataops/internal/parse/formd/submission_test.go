package formd_test

import (
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/platform/testkit/realdata"
)

// submissionHead is the header of a full submission with two issuers, the primary one second.
const submissionHead = `-----BEGIN PRIVACY-ENHANCED MESSAGE-----
Proc-Type: 2001,MIC-CLEAR

<SEC-DOCUMENT>0001851508-21-000002.txt : 20211006
<SEC-HEADER>0001851508-21-000002.hdr.sgml : 20211006
<ACCEPTANCE-DATETIME>20211006112218
ACCESSION NUMBER:		0001851508-21-000002
CONFORMED SUBMISSION TYPE:	D/A
PUBLIC DOCUMENT COUNT:		1
ITEM INFORMATION:		06c
FILED AS OF DATE:		20211006
DATE AS OF CHANGE:		20211006

FILER:

	COMPANY DATA:	
		COMPANY CONFORMED NAME:			Halcyon Ridge Parallel Fund
		CENTRAL INDEX KEY:			0001851509
		IRS NUMBER:				000000000

	FILING VALUES:
		FORM TYPE:		D/A
		SEC FILE NUMBER:	021-391235

FILER:

	COMPANY DATA:	
		COMPANY CONFORMED NAME:			Halcyon Ridge & Pier Fund, LP
		CENTRAL INDEX KEY:			0001851508
		STANDARD INDUSTRIAL CLASSIFICATION:	INVESTORS, NEC [6799]

	FILING VALUES:
		FORM TYPE:		D/A
		SEC FILE NUMBER:	021-391234

	FORMER COMPANY:	
		FORMER CONFORMED NAME:	Halcyon A LP
</SEC-HEADER>
`

const (
	documentHead = "<DOCUMENT>\n<TYPE>D/A\n<SEQUENCE>1\n<FILENAME>primary_doc.xml\n<TEXT>\n<XML>\n"
	documentTail = "</XML>\n</TEXT>\n</DOCUMENT>\n</SEC-DOCUMENT>\n-----END PRIVACY-ENHANCED MESSAGE-----\n"
	exhibit      = "<DOCUMENT>\n<TYPE>COVER\n<TEXT>\n<XML>\n<?xml version=\"1.0\"?><other/>\n</XML>\n</TEXT>\n</DOCUMENT>\n"
)

func submission(documents string) string { return submissionHead + documents + "</SEC-DOCUMENT>\n" }

// before cuts a text where the mark begins.
func before(text, mark string) string {
	cut, _, _ := strings.Cut(text, mark)
	return cut
}

// TestSubmission: a full submission gives what its notice gives when it stands alone, with the day, the number of the file and
// the industry that only the header knows.
func TestSubmission(t *testing.T) {
	t.Parallel()
	alone := mustDrain(t, write(t, accession+".xml", []byte(notice)))
	want := *alone.offerings[0]
	want.Filed, want.FileNumber, want.SICCode = time.Date(2021, 10, 6, 0, 0, 0, 0, time.UTC), "021-391234", "6799"
	whole := submissionHead + exhibit + documentHead + notice + documentTail
	first := strings.Count(before(whole, "<edgarSubmission>"), "\n") + 1
	for container, path := range map[string]string{
		"alone":         write(t, "filing.txt", []byte(whole)),
		"carriage":      write(t, "filing", []byte(strings.ReplaceAll(whole, "\n", "\r\n"))),
		"folder":        folder(t, files{"a/" + accession + ".txt": whole, "readme.txt": "Downloaded on Monday."}),
		"zip":           write(t, "all.zip", zipped(t, files{accession + ".txt": whole, accession + "-index.html": "<html>"})),
		"beside itself": folder(t, files{"filing.txt": whole, "readme.txt": ""}),
	} {
		d := mustDrain(t, path)
		require.Empty(t, d.reasons(), container)
		require.Equal(t, "form_d/notices", d.opened.Series, container)
		require.Equal(t, first, d.offerings[0].Line, container)
		require.Equal(t, placeless(&want), placeless(d.offerings...), container)
		requireSameChildren(t, alone, d, container)
	}
}

// TestSubmissionAndSet: the set of a quarter and the submission of a notice in it give the same records.
func TestSubmissionAndSet(t *testing.T) {
	t.Parallel()
	text := func(record string) string { return strings.ReplaceAll(record, "\n", "") }
	set := folder(t, files{
		"FORMDSUBMISSION.tsv": table(submissionHeader, accession+"|021-391234|06-OCT-2021|6799|X0708|D/A|LIVE||"),
		"OFFERING.tsv": table(offeringHeader, accession+text(`|Pooled Investment Fund|Hedge Fund|false||Decline to Disclose|06c,3C,3C.7|true|0001851508-20-000001|
2020-09-15||true|true||true||25000|Indefinite|17947333|Indefinite|true|3|168|1|2|10000`)),
		"ISSUERS.tsv": table(issuerHeader,
			accession+text(`|YES|1|0001851508|Halcyon Ridge & Pier Fund, LP|1 Pier Road||Boston|MA|MASSACHUSETTS|02110|6175550100|DELAWARE|None|||
Halcyon A LP|Halcyon B LP||Limited Partnership||Within Five Years|2020`),
			accession+"|NO|2|0001851509|Halcyon Ridge Parallel Fund|||||||||||||||||Over Five Years|"),
		"RELATEDPERSONS.tsv": table(personHeader,
			accession+"|1|LLC||Fund GP,|||Boston|MA|||Director|Promoter||",
			accession+"|2|Jane|Q.|Sample|||||||Executive Officer|||"),
		"RECIPIENTS.tsv": table(recipientHeader,
			accession+"|1|Tally & Stamp|113794|None|None|||New York|NY|||FL,GA|FLORIDA,GEORGIA|false",
			accession+"|2|None|None|None|None|||||||All States||"),
	})
	of, d := mustDrain(t, set), mustDrain(t, write(t, "filing.txt", []byte(submission(documentHead+notice+documentTail))))
	require.Empty(t, of.reasons())
	require.Empty(t, d.reasons())
	require.Equal(t, placeless(of.offerings...), placeless(d.offerings...))
	requireSameChildren(t, of, d, "set")
}

// placeless gives offerings without the place where they were read.
func placeless(rows ...*catalogapi.OfferingRow) []catalogapi.OfferingRow {
	var out []catalogapi.OfferingRow
	for _, r := range rows {
		c := *r
		c.File, c.Line = "", 0
		out = append(out, c)
	}
	return out
}

func requireSameChildren(t *testing.T, want, got *drained, why string) {
	t.Helper()
	for _, d := range []*drained{want, got} {
		for _, r := range d.issuers {
			r.File, r.Line = "", 0
		}
		for _, r := range d.persons {
			r.File, r.Line = "", 0
		}
		for _, r := range d.recipients {
			r.File, r.Line = "", 0
		}
	}
	require.NotEmpty(t, got.issuers)
	require.Equal(t, want.issuers, got.issuers, why)
	require.Equal(t, want.persons, got.persons, why)
	require.Equal(t, want.recipients, got.recipients, why)
}

// TestSubmissions: what is wrong with one submission of many is quarantined with its line, and does no harm to the others.
func TestSubmissions(t *testing.T) {
	t.Parallel()
	whole := submissionHead + documentHead + notice + documentTail
	changed := func(old, by string) string {
		require.Contains(t, whole, old)
		return strings.Replace(whole, old, by, 1)
	}
	d := mustDrain(t, folder(t, files{
		"01.txt": whole,
		"02.txt": whole,
		"03.txt": changed("TYPE:	D/A", "TYPE:	10-K"),
		"04.txt": changed("<XML>", ""),
		"05.txt": changed("<edgarSubmission>", `<!DOCTYPE edgarSubmission [<!ENTITY a "b">]><edgarSubmission>`),
		"06.txt": before(whole, "</edgarSubmission>"),
		"07.txt": submissionHead + documentHead + notice + "</XML>\n</TEXT>\n</DOCUMENT>\n" + documentHead + notice + documentTail,
		"08.txt": whole + whole,
		"09.txt": before(whole, "</SEC-HEADER>"),
		"10.txt": submissionHead + exhibit,
		"11.txt": changed("20211006\nDATE", "20211306\nDATE"),
		"12.txt": changed("ACCESSION NUMBER:", "NUMBER:"),
		"13.txt": changed("0001851508-21-000002\nCONFORMED", "18515\xff08\nCONFORMED"),
		"14.txt": changed("021-391234", "811-1"),
		"15.txt": changed("<submissionType>D/A", "<submissionType>D"),
		"16.txt": changed("LIVE", "TEST"),
		"17.txt": changed("17947333", "many"),
		"18.txt": changed("</SEC-HEADER>", ""),
		"19.txt": changed("FILED AS OF DATE:", "FILED:"),
		"20.txt": "<SEC-DOCUMENT>x\n<SEC-HEADER>\n</SEC-HEADER>\n",
		"21.txt": changed("<offeringData>", "<offeringData>&jane;"),
		"22.txt": changed("CONFORMED SUBMISSION TYPE:", "FORM:"),
		"23.txt": submissionHead + documentHead + "<html><body>FORM D</body></html>\n" + documentTail,
		"24.txt": changed("0001851508\n		STANDARD", "0001851510\n		STANDARD"),
		"25.txt": before(submissionHead, "\nFILER:") + "\n</SEC-HEADER>\n" + documentHead + notice + documentTail,
		"26.txt": changed("<cik>0001851508</cik>", ""),
		"27.txt": changed("X0708", "X0202"),
		"28.txt": changed("<schemaVersion>X0708</schemaVersion>", ""),
		"29.txt": changed("X0708", "7.8"),
	}))
	require.ElementsMatch(t, []string{
		"02.txt:46: The accession number 0001851508-21-000002 is that of 01.txt too",
		`03.txt:8: The submission is of form type "10-K", neither D nor D/A`,
		`04.txt:97: The file is not a notice: the submission cannot be read: line 97: the document of type D has no <XML>: notices from before September 2008 are on paper or plain text`,
		"05.txt:46: The file is not a notice: the XML cannot be read: line 46: it has a document type or entities of its own (DOCTYPE), which is not allowed",
		"06.txt:94: The file is not a notice: the XML cannot be read: it is malformed or cut short at line 94: unexpected end",
		"07.txt:99: A second notice begins here, but a submission of Form D has one",
		"08.txt:103: A second submission begins here: every submission must be a file of its own",
		"09.txt:37: The file is not a notice: the submission cannot be read: line 37: the header has no end: the submission is cut short",
		"10.txt:46: The file is not a notice: the submission cannot be read: line 46: no document of type D or D/A is in the submission",
		`11.txt:11: FILED AS OF DATE is not a date: "20211306"`,
		"12.txt:38: The header has no ACCESSION NUMBER",
		`13.txt:7: ACCESSION NUMBER is not an accession number (0000000000-00-000000): "18515ÿ08"`,
		`14.txt:34: SEC FILE NUMBER is not a Form D file number (021- and digits): "811-1"`,
		`15.txt:46: submissionType is "D", but the form type in the header is "D/A"`,
		`16.txt:46: testOrLive is not LIVE, so the notice is a test: "TEST"`,
		`17.txt:46: totalAmountSold is not an amount in dollars: "many"`,
		"18.txt:39: The file is not a notice: the submission cannot be read: line 39: a document begins before the header's end (</SEC-HEADER>)",
		"19.txt:38: The header has no FILED AS OF DATE",
		"20.txt:3: The header has no ACCESSION NUMBER",
		"21.txt:66: The file is not a notice: the XML cannot be read: it is malformed or cut short at line 66: invalid character entity: only &amp; &lt; &gt; &quot; &apos; and numbers are known",
		"22.txt:38: The header has no CONFORMED SUBMISSION TYPE",
		`23.txt:45: The file is not a notice: the XML cannot be read: its root is "html", but the root of a Form D is edgarSubmission`,
		`24.txt:46: The notice's primary issuer, CIK "1851508", is not a filer in the header`,
		"25.txt:14: The header names no filer (COMPANY DATA with a CENTRAL INDEX KEY)",
		"26.txt:46: The notice's primary issuer has no usable CIK, so it is not known which filer in the header it is",
		`27.txt:46: schemaVersion "X0202" is older than X0301, the oldest that can be read`,
		"28.txt:46: schemaVersion is blank",
		`29.txt:46: schemaVersion is not a version (X and four digits): "7.8"`,
	}, d.reasons())
	require.Len(t, d.offerings, 1)
	require.Equal(t, int64(1), d.opened.Repeated())
}

// TestMembersThatAreNoNotices: texts and XML among notices that are none are quarantined, for they may be downloads that failed.
// Notes that come with an archive, and files of other kinds, are passed over.
func TestMembersThatAreNoNotices(t *testing.T) {
	t.Parallel()
	whole := submissionHead + documentHead + notice + documentTail
	limited := "<html><head><title>SEC.gov</title></head><body>Your request rate has exceeded…</body></html>"
	members := files{
		accession + ".txt": whole, "README.txt": "Downloaded on Monday.", "d/readme-first.TXT": "", "License.txt": "Free.", accession + "-index.html": limited, "list.json": "{}",
		"1.txt": "", "2.txt": limited, "3.txt": before(documentHead, "<FILENAME>"), "4.txt": "\n <!DOCTYPE html>\n" + limited, "5.xml": "", "6.xml": limited,
		"0001851508-21-000007": limited, "0001851508-21-000008": strings.ReplaceAll(whole, accession, "0001851508-21-000008"),
	}
	for container, path := range map[string]string{
		"folder": folder(t, members),
		"zip":    write(t, "all.zip", zipped(t, members)),
	} {
		d := mustDrain(t, path)
		require.Len(t, d.offerings, 2, container)
		require.ElementsMatch(t, []string{
			"1.txt:1: The file is not a notice: it is empty",
			"2.txt:1: The file is not a notice: it is an HTML page, perhaps EDGAR's answer to too many requests. Fetch it again",
			"3.txt:1: The file is not a notice: its first 4 KiB have neither <SEC-DOCUMENT> nor <SEC-HEADER>, with which a full submission begins",
			"4.txt:1: The file is not a notice: it is an HTML page, perhaps EDGAR's answer to too many requests. Fetch it again",
			"5.xml:1: The file is not a notice: it is empty",
			"6.xml:1: The file is not a notice: it is an HTML page, perhaps EDGAR's answer to too many requests. Fetch it again",
			"0001851508-21-000007:1: The file is not a notice: it is an HTML page, perhaps EDGAR's answer to too many requests. Fetch it again",
		}, d.reasons(), container)
	}
	require.Contains(t, refused(t, write(t, "all.zip", zipped(t, files{"1.txt": "", "2.txt": limited}))), "not a known format")
}

// TestNoticeVersions: a notice that stands alone is of a known version too.
func TestNoticeVersions(t *testing.T) {
	t.Parallel()
	d := mustDrain(t, write(t, accession+".xml", []byte(strings.Replace(notice, "X0708", "X0101", 1))))
	require.Equal(t, []string{accession + `.xml:2: schemaVersion "X0101" is older than X0301, the oldest that can be read`}, d.reasons())
	require.Empty(t, d.offerings)
}

// TestSubmissionRefused: a submission that cannot be read is refused with a sentence when it is given alone, and none is read further
// than a notice can be large.
func TestSubmissionRefused(t *testing.T) {
	t.Parallel()
	whole := submission(documentHead + notice + documentTail)
	for name, c := range map[string]struct{ content, want string }{
		"cut short":    {whole[:len(whole)/2], "cut short"},
		"utf-16":       {submissionHead + documentHead + "\xff\xfe<\x00\n", "UTF-16"},
		"large inside": {strings.Replace(whole, "<offeringData>", "<offeringData>"+strings.Repeat("<a>"+strings.Repeat("x", 1<<19)+"</a>", 40), 1), "larger than 16 MiB"},
		"large beside": {whole + strings.Repeat(strings.Repeat("M", 1<<20), 17), "larger than 16 MiB"},
		"large header": {"<SEC-HEADER>\n" + strings.Repeat("ITEM INFORMATION: Rule 506\n", 1<<20), "larger than 16 MiB"},
	} {
		got := refused(t, write(t, "filing.txt", []byte(c.content)))
		require.Contains(t, got, c.want, name)
		require.Contains(t, got, "filing.txt", name)
		if strings.HasPrefix(name, "large") {
			require.NotContains(t, got, "XML", name)
		}
	}
	d, err := drain(t.Context(), write(t, "filing.txt", []byte(whole)), parse.Options{NotAfter: time.Date(2021, 10, 5, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Equal(t, []string{"filing.txt:11: FILED AS OF DATE is in the future: 2021-10-06"}, d.reasons())
}

// TestSubmissionCharsets: the notice says in which charset it is; bytes that are no UTF-8 are read as Windows-1252.
func TestSubmissionCharsets(t *testing.T) {
	t.Parallel()
	for declaration, name := range map[string]string{
		`<?xml version="1.0"?>`:                           "Soci\xc3\xa9t\xc3\xa9",
		`<?xml version="1.0" encoding="UTF-8"?>`:          "Soci\xe9t\xe9",
		`<?xml version="1.0" encoding="ISO-8859-1"?>`:     "Soci\xe9t\xe9",
		"\n<?xml version=\"1.0\" encoding=\"us-ascii\"?>": "Soci&#233;t&#xE9;",
	} {
		text := strings.Replace(strings.Replace(notice, "Halcyon Ridge Parallel Fund", name, 1), `<?xml version="1.0"?>`, declaration, 1)
		head := strings.Replace(submissionHead, "Halcyon Ridge Parallel Fund", name, 1)
		d := mustDrain(t, write(t, "filing.txt", []byte(head+documentHead+text+documentTail)))
		require.Empty(t, d.reasons(), declaration)
		require.Equal(t, "Société", d.issuers[1].Name, declaration)
	}
}

// TestRealSubmission reads a real submission of 2009, of the first version of the schema that has XML, and its notice alone.
func TestRealSubmission(t *testing.T) {
	t.Parallel()
	path := realdata.File(t, "form-d/submission/0000919574-09-006093.txt")
	d := mustDrain(t, path)
	require.Empty(t, d.reasons())
	require.Len(t, d.offerings, 1)
	o := d.offerings[0]
	require.Equal(t, []any{"0000919574-09-006093", "D", "2009-03-16", "021-127918", "X0301", "", 58},
		[]any{o.Accession, o.Form, o.Filed.Format(time.DateOnly), o.FileNumber, o.SchemaVersion, o.SICCode, o.Line})
	requireFigures(t, figures{
		form: "D", filed: "2009-03-16", industry: "Pooled Investment Fund", fundType: "Hedge Fund", exemptions: "06 3C 3C.1", firstSale: "2008-02-01",
		securities: "pooled investment fund", minimum: 250000, offered: -1, sold: 500000, remaining: -1, investors: 1, issuers: 1, persons: 5, recipients: 1,
	}, d, o)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	_, xml, ok := strings.Cut(string(content), "<XML>\n")
	require.True(t, ok)
	xml, _, ok = strings.Cut(xml, "</XML>")
	require.True(t, ok)
	alone := mustDrain(t, write(t, "0000919574-09-006093.xml", []byte(xml)))
	alone.offerings[0].FileNumber, alone.offerings[0].Filed = o.FileNumber, o.Filed
	require.Equal(t, placeless(alone.offerings...), placeless(o))
	requireSameChildren(t, alone, d, "alone")
}

// Guarantee: no notice in a zip archive vanishes. Packed ones are unpacked, and those beside tables are named.
func TestNoticesPackedWithOthers(t *testing.T) {
	t.Parallel()
	whole := submission(documentHead + notice + documentTail)
	alone := mustDrain(t, write(t, "filing.txt", []byte(whole)))
	packed := mustDrain(t, write(t, "all.zip", zipped(t, files{accession + ".txt.gz": gzipped(t, whole), "README.txt": "Downloaded on Monday."})))
	require.Empty(t, packed.reasons())
	require.Equal(t, accession+".txt", packed.offerings[0].File)
	require.Equal(t, placeless(alone.offerings...), placeless(packed.offerings...))
	requireSameChildren(t, alone, packed, "packed twice")
	torn := gzipped(t, whole)[:100]
	require.Contains(t, refused(t, write(t, "torn.zip", zipped(t, files{accession + ".txt.gz": torn}))), accession+".txt: the archive is truncated or damaged")

	const why = ":1: The file is a Form D notice beside tables, and of such an archive only the tables are read. Load it by itself"
	notices := files{"a/" + accession + ".txt": whole, "b/primary_doc.xml": notice, "c.txt.gz": gzipped(t, whole), "README.txt": "of " + accession, "other.xml": "<a/>"}
	set := files{
		"FORMDSUBMISSION.tsv": table(submissionHeader, "0001851508-21-000001|021-391234|06-OCT-2021|6799|X0708|D|LIVE||"),
		"OFFERING.tsv":        table(offeringHeader), "ISSUERS.tsv": table(issuerHeader),
	}
	filings := files{"IA_ADV_Base_A_20260601_20260630.csv": "FilingID,DateSubmitted,1A,1E1\n1,6/1/2026,ALDERMOOR,1\n"}
	for kind, tables := range map[string]files{"set": set, "filings": filings} {
		maps.Copy(tables, notices)
		d, err := drain(t.Context(), write(t, "mixed.zip", zipped(t, tables)), parse.Options{})
		require.NoError(t, err, kind)
		require.Subset(t, d.reasons(), []string{accession + ".txt" + why, "primary_doc.xml" + why, "c.txt" + why}, kind)
		for _, reason := range d.reasons() {
			require.NotRegexp(t, "^(README|other)", reason, kind)
		}
	}
	const other = ":1: The file is not a notice, and of an archive of notices nothing else is read. Load it by itself"
	d := mustDrain(t, write(t, "notices.zip", zipped(t, files{accession + ".txt": whole, "funds.csv": "x", "more.zip": "x", "page.css": "x"})))
	require.ElementsMatch(t, []string{"funds.csv" + other, "more.zip" + other}, d.reasons())
	require.NotContains(t, strings.Join(mustDrain(t, folder(t, set)).reasons(), "\n"), "beside tables", "in a folder each is a document of its own")
}

func gzipped(tb testing.TB, text string) string {
	tb.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(tb, err)
	require.NoError(tb, z.Close())
	return b.String()
}
