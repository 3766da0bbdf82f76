package sample_test

import (
	"archive/zip"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// noticeSet is one quarter's tables, split at tabs.
type noticeSet struct {
	folder string
	tables map[string][]record
}

func (c *catalog) readNotices(name string) error {
	z, err := zip.OpenReader(name)
	if err != nil {
		return err
	}
	defer func() { _ = z.Close() }()
	set := noticeSet{tables: map[string][]record{}}
	for _, f := range z.File {
		set.folder = path.Dir(f.Name)
		table, ok := strings.CutSuffix(path.Base(f.Name), ".tsv")
		if !ok {
			continue
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
		header := strings.Split(lines[0], "\t")
		set.tables[table] = []record{}
		for _, l := range lines[1:] {
			row := record{"": ""}
			values := strings.Split(l, "\t")
			if len(values) != len(header) {
				row[""] = l // what the test finds
			}
			for i, v := range values[:min(len(values), len(header))] {
				row[header[i]] = v
			}
			set.tables[table] = append(set.tables[table], row)
		}
	}
	c.notices = append(c.notices, set)
	return nil
}

func (c *catalog) readFeed(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	c.feed, err = io.ReadAll(z)
	return err
}

func TestNoticesAreWholeAndJoinTheirFunds(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	names, numbers := map[string]string{}, map[string]string{} // name and file number of a fund, by the other
	funds := map[string]bool{}
	for _, f := range c.last() {
		byReference := map[string]string{}
		for _, r := range f.funds {
			byReference[r["ReferenceID"]] = strings.ToLower(r["Fund Name"])
			names[strings.ToLower(r["Fund Name"])] = ""
			funds[strings.ToLower(r["Fund Name"])] = true
		}
		for _, r := range f.children["Schedule_D_7B1A22"] {
			names[byReference[r["ReferenceID"]]] = r["Form D File Number"]
			numbers[r["Form D File Number"]] = byReference[r["ReferenceID"]]
		}
	}
	byNumber, byName, strange, companies := map[string]bool{}, map[string]bool{}, 0, 0
	seen, amendments, indefinite, quotes, entities := map[string]bool{}, 0, 0, 0, 0
	require.Equal(t, "2025Q1_d", c.notices[0].folder)
	require.Len(t, c.notices, 8)
	for _, set := range c.notices {
		require.Len(t, set.tables, 6)
		require.Len(t, set.tables["OFFERING"], len(set.tables["FORMDSUBMISSION"]))
		for table, rows := range set.tables {
			for _, r := range rows {
				require.Empty(t, r[""], "%s: not as wide as its header", table)
				quotes += strings.Count(strings.Join([]string{r["ENTITYNAME"], r["RELATIONSHIPCLARIFICATION"]}, ""), `"`)
			}
		}
		offerings := map[string]record{}
		for _, r := range set.tables["OFFERING"] {
			offerings[r["ACCESSIONNUMBER"]] = r
			if r["TOTALOFFERINGAMOUNT"] == "Indefinite" {
				indefinite++
			}
			require.Equal(t, r["YETTOOCCUR"] == "true", r["SALE_DATE"] == "")
		}
		for _, r := range set.tables["RELATEDPERSONS"] {
			require.Contains(t, offerings, r["ACCESSIONNUMBER"])
			if strings.HasSuffix(strings.ToUpper(r["LASTNAME"]), "LLC") {
				entities++
			}
		}
		issuer := map[string]string{}
		for _, r := range set.tables["ISSUERS"] {
			if r["IS_PRIMARYISSUER_FLAG"] == "YES" {
				issuer[r["ACCESSIONNUMBER"]] = strings.ToLower(r["ENTITYNAME"])
			}
		}
		for _, r := range set.tables["FORMDSUBMISSION"] {
			key := r["ACCESSIONNUMBER"]
			require.False(t, seen[key], "accession numbers are unique")
			seen[key] = true
			require.Regexp(t, `^\d{10}-\d\d-\d{6}$`, key)
			_, err := time.Parse("02-Jan-2006", r["FILING_DATE"])
			require.NoError(t, err)
			o := offerings[key]
			require.Equal(t, r["SUBMISSIONTYPE"] == "D/A", o["PREVIOUSACCESSIONNUMBER"] != "")
			if r["SUBMISSIONTYPE"] == "D/A" {
				amendments++
			}
			name := issuer[key]
			pooled := o["INDUSTRYGROUPTYPE"] == "Pooled Investment Fund"
			switch fund, known := numbers[r["FILE_NUM"]]; {
			case known:
				byNumber[fund] = true
				require.True(t, pooled)
			case !pooled:
				companies++
				require.NotContains(t, o["FEDERALEXEMPTIONS_ITEMS_LIST"], "3C")
			case funds[name] && names[name] == "":
				byName[name] = true
			case funds[name]:
				strange++ // the fund of this name has another file number
			}
		}
	}
	require.InDelta(t, 700, len(byNumber), 200)
	require.InDelta(t, 100, len(byName), 60)
	require.Positive(t, strange)
	require.Greater(t, companies, 20)
	require.Greater(t, amendments, len(byNumber)/3)
	require.Positive(t, indefinite)
	require.Positive(t, quotes)
	require.Positive(t, entities)
}

func TestEveryoneWhoStopsWithdraws(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	full, partial, back := 0, 0, 0
	shapes := map[bool]int{}
	for _, a := range c.withdrawals {
		for _, r := range a.table("ADVW") {
			all := c.byCRD[r["CRD Number"]]
			require.NotEmpty(t, all)
			at, err := time.Parse("2006-01-02", r["Filing Date"])
			shapes[err == nil]++
			if err != nil {
				at, err = time.Parse("01/02/2006", r["Filing Date"])
			}
			require.NoError(t, err)
			require.GreaterOrEqual(t, at.Format("20060102"), a.from)
			require.LessOrEqual(t, at.Format("20060102"), a.to)
			last := submitted(t, all[len(all)-1].record["DateSubmitted"])
			switch {
			case r["Filing Type"] == "PARTIAL":
				partial++
			case at.Before(last):
				back++
			default:
				full++
			}
			require.Equal(t, r["Business Ceased"] == "Y", r["Date Ceased"] != "")
		}
	}
	require.Len(t, c.withdrawals, 3)
	require.Len(t, shapes, 2)
	require.Greater(t, full, 12)
	require.Less(t, full, 30)
	require.Positive(t, partial)
	require.Positive(t, back, "one withdrew and came back")
}

func TestTheFeedSaysWhatTheNewestFilingSays(t *testing.T) {
	t.Parallel()
	c := theSmallOne(t)
	d := xml.NewDecoder(strings.NewReader(string(fromLatin1(c.feed))))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	require.Contains(t, string(c.feed[:60]), `encoding="ISO-8859-1"`)
	firms, accents, exempt := 0, false, false
	var last *filing
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "well-formed to the end")
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		at := map[string]string{}
		for _, a := range e.Attr {
			at[a.Name.Local] = a.Value
		}
		switch e.Name.Local {
		case "IAPDFirmSECReport":
			require.Equal(t, "2026-10-31", at["GenOn"])
		case "Info":
			firms++
			all := c.byCRD[at["FirmCrdNb"]]
			require.NotEmpty(t, all)
			last = all[len(all)-1]
			require.Equal(t, last.record["1A"], at["LegalNm"])
			require.Equal(t, last.record["1D"], at["SECNb"])
			accents = accents || strings.ContainsAny(at["LegalNm"], "ÅÉÖÜÄÃÑÆØÎÇåéöü")
		case "Rgstn":
			exempt = at["FirmType"] == "ERA"
			require.Equal(t, !last.registered, exempt)
		case "Filing":
			require.Equal(t, last.day(t), at["Dt"])
		case "Item5F":
			require.Equal(t, last.record["5F2c"], at["Q5F2C"])
			require.Equal(t, exempt, len(at) == 0, "exempt advisers have the element without answers")
		case "Item5A":
			require.Equal(t, last.record["5A"], at["TtlEmp"])
		case "Item7B":
			require.Equal(t, last.record["7B"], at["Q7B"])
		}
	}
	silent := 0
	for _, a := range c.withdrawals {
		for _, r := range a.table("ADVW") {
			if r["Filing Type"] == "FULL" {
				silent++
			}
		}
	}
	require.Greater(t, firms, 300-silent-3)
	require.Less(t, firms, 300)
	require.True(t, accents)
}
