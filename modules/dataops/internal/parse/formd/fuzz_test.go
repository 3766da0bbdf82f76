package formd_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops/internal/parse"
)

// requirePromises checks what every Form D document promises to the catalog, whatever it was read from.
func requirePromises(t *testing.T, d *drained) {
	t.Helper()
	given := map[string]bool{}
	for _, o := range d.offerings {
		require.False(t, given[o.Accession], "a notice is given once")
		given[o.Accession] = true
		require.Regexp(t, `^[0-9]{10}-[0-9]{2}-[0-9]{6}$`, o.Accession)
		require.Regexp(t, `^(021-[0-9]{1,10})?$`, o.FileNumber)
		require.Contains(t, []string{"D", "D/A"}, o.Form)
		require.False(t, o.Filed.IsZero())
		require.False(t, o.Indefinite && o.OfferingAmount != nil)
	}
	type key struct {
		table, accession string
		seq              int
	}
	seen := map[key]bool{}
	child := func(table, accession string, seq int, name string) {
		require.True(t, given[accession], "children are of notices that were given")
		require.Positive(t, seq)
		require.False(t, seen[key{table, accession, seq}], "numbers are unique in a notice")
		seen[key{table, accession, seq}] = true
		require.NotEmpty(t, name)
		require.NotContains(t, name, "\x00")
	}
	for _, i := range d.issuers {
		child("issuers", i.Accession, i.Seq, i.Name)
		require.Regexp(t, `^([1-9][0-9]{0,9})?$`, i.CIK)
	}
	for _, p := range d.persons {
		child("persons", p.Accession, p.Seq, p.LastName)
	}
	for _, r := range d.recipients {
		child("recipients", r.Accession, r.Seq, r.Name)
	}
	for _, r := range d.rejected {
		require.NotEmpty(t, r.File)
		require.NotEmpty(t, r.Reason)
		require.Positive(t, r.Line)
		require.LessOrEqual(t, len(r.Raw), 4<<10)
	}
}

// FuzzNotice gives any bytes as a notice.
func FuzzNotice(f *testing.F) {
	f.Add([]byte(notice))
	f.Add([]byte("\n" + notice[:800]))
	f.Add([]byte(`<edgarSubmission><submissionType>D</submissionType><testOrLive>LIVE</testOrLive><primaryIssuer><entityName>A</entityName></primaryIssuer>` +
		`<primaryIssuer/><recipient><recipient><recipientName>B</recipientName></recipient></recipient>` +
		`<offeringData><signatureBlock><signature><signatureDate>29-MAR-22</signatureDate></signature></signatureBlock></offeringData></edgarSubmission>`))
	f.Add([]byte(`<!DOCTYPE edgarSubmission [<!ENTITY a "b">]><edgarSubmission>&a;</edgarSubmission>`))
	f.Add([]byte(`<html><br></html>`))
	f.Fuzz(func(t *testing.T, content []byte) {
		d, err := drain(t.Context(), write(t, "000185150821000002-primary_doc.xml", content),
			parse.Options{Limits: parse.Limits{TotalBytesMax: 4 << 20, MemberBytesMax: 2 << 20}})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		if d.opened.Kind == "form_d" {
			requirePromises(t, d)
		}
	})
}

// FuzzSubmission gives any bytes as a full submission.
func FuzzSubmission(f *testing.F) {
	whole := submissionHead + documentHead + notice + documentTail
	f.Add([]byte(whole))
	f.Add([]byte(whole + whole))
	f.Add([]byte(submissionHead + exhibit + documentHead))
	f.Add([]byte("<SEC-HEADER>\nACCESSION NUMBER:\xff\x00\nCONFORMED SUBMISSION TYPE: D\nFILED AS OF DATE: 20210101\nCOMPANY DATA:\nSEC FILE NUMBER: 021-1\n</SEC-HEADER>\n" +
		"<TYPE>D\n<XML><edgarSubmission/>\n</XML>\n<TYPE>D"))
	f.Fuzz(func(t *testing.T, content []byte) {
		d, err := drain(t.Context(), write(t, "filing.txt", content),
			parse.Options{Limits: parse.Limits{TotalBytesMax: 4 << 20, MemberBytesMax: 2 << 20}})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		if d.opened.Kind == "form_d" {
			requirePromises(t, d)
		}
	})
}

// FuzzSet gives any bytes as the tables of a set.
func FuzzSet(f *testing.F) {
	set := quarter()
	f.Add(set["FORMDSUBMISSION.tsv"], set["OFFERING.tsv"], set["ISSUERS.tsv"], set["RELATEDPERSONS.tsv"], set["RECIPIENTS.tsv"])
	f.Add(set["FORMDSUBMISSION.tsv"], set["OFFERING.tsv"]+set["OFFERING.tsv"], table(issuerHeader), table(personHeader), "\xff"+table(recipientHeader))
	f.Add(table("ACCESSIONNUMBER|FILING_DATE|SUBMISSIONTYPE", first+"|1-JAN-99|D"), table("ACCESSIONNUMBER|FEDERALEXEMPTIONS_ITEMS_LIST|SALE_DATE|TOTALOFFERINGAMOUNT|TOTALAMOUNTSOLD",
		first+"|06b||Indefinite|1e9"), table("ACCESSIONNUMBER|IS_PRIMARYISSUER_FLAG|ENTITYNAME", first+"|YES|A", first+"|YES|B", first+"|NO|C"), "", "\n\n")
	f.Fuzz(func(t *testing.T, submissions, offerings, issuers, persons, recipients string) {
		d, err := drain(t.Context(), folder(t, files{
			"FORMDSUBMISSION.tsv": submissions, "OFFERING.tsv": offerings, "ISSUERS.tsv": issuers, "RELATEDPERSONS.tsv": persons, "RECIPIENTS.tsv": recipients,
		}), parse.Options{Limits: parse.Limits{TotalBytesMax: 4 << 20, MemberBytesMax: 2 << 20}})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		requirePromises(t, d)
	})
}
