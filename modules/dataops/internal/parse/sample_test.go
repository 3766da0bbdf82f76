package parse_test

import (
	"iter"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse"
	"gpatlas/sample"
)

// rowsOf gives the number of a sequence's rows.
func rowsOf[T any](t *testing.T, seq iter.Seq2[*T, error], each ...func(*T)) int {
	t.Helper()
	n := 0
	if seq == nil {
		return 0
	}
	for row, err := range seq {
		require.NoError(t, err)
		n++
		for _, f := range each {
			f(row)
		}
	}
	return n
}

// sequenceOf says under which sequence of a document the rows of a table come; "" = they do not come as rows.
func sequenceOf(table string) string {
	_, name, _ := strings.Cut(table, "_")
	switch table {
	case "ADV_Filing_Types":
		return "types"
	case "FORMDSUBMISSION":
		return "offerings"
	case "ISSUERS":
		return "issuers"
	case "RELATEDPERSONS":
		return "persons"
	case "RECIPIENTS":
		return "recipients"
	case "Firm", "IA_ADV_Base_A":
		return "filings"
	case "ADVW":
		return "withdrawals"
	}
	switch name {
	case "ADV_Base":
		return "filings"
	case "Schedule_A_B":
		return "owners"
	case "Schedule_D_1F":
		return "offices"
	case "Schedule_D_1I":
		return "websites"
	case "1D3_CIK", "1E2_Additional_CRD":
		return "identifiers"
	case "Schedule_D_7A":
		return "affiliates"
	case "Schedule_D_7B1":
		return "funds"
	case "Schedule_D_7B2":
		return "sub-advised"
	case "Schedule_D_7B1A22":
		return "Form D numbers"
	case "Schedule_D_7B1A23":
		return "auditors"
	case "Schedule_D_7B1A6b", "Schedule_D_7B1A7":
		return "feeders"
	case "Schedule_D_7B1A3a", "Schedule_D_7B1A24", "Schedule_D_7B1A25", "Schedule_D_7B1A26", "Schedule_D_7B1A28":
		return "providers"
	case "DRP_Criminal", "DRP_Regulatory", "DRP_Civil_Judicial":
		return "disclosures"
	case "DRP_Advisory_Affiliates":
		return "implicated"
	default:
		return "" // the sites of marketers, offerings, signatures and keepers of records belong to other rows, or are not kept
	}
}

var sources = map[sample.Kind]catalogapi.Source{
	sample.KindADV: catalogapi.SourceADVArchive, sample.KindADVW: catalogapi.SourceADVW,
	sample.KindFormD: catalogapi.SourceFormD, sample.KindFeed: catalogapi.SourceFeed,
}

// What is written is what the ingestion's own parsers read, to the last row, and nothing goes to quarantine.
func TestTheIngestionReadsEveryRow(t *testing.T) {
	t.Parallel()
	sum, err := sample.Write(t.Context(), sample.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	quotes, joined := 0, 0
	for _, a := range sum.Archives {
		want := map[string]int{}
		for _, table := range a.Tables {
			if s := sequenceOf(table.Name); s != "" {
				want[s] += table.Rows
			}
		}
		if a.Kind == sample.KindFeed {
			delete(want, "websites")
		}
		in, err := parse.Open(t.Context(), a.Path, parse.Options{Reject: func(r catalogapi.Rejected) {
			t.Errorf("%s:%d: %s: %s", r.File, r.Line, r.Reason, r.Raw)
		}})
		require.NoError(t, err)
		if a.Kind == sample.KindLP {
			require.Equal(t, a.Tables[0].Rows, rowsOf(t, in.Commitments))
			require.NoError(t, in.Close())
			continue
		}
		doc := in.Document
		require.Equal(t, sources[a.Kind], doc.Source)
		got := map[string]int{
			"filings": rowsOf(t, doc.Filings, func(f *catalogapi.AdviserFiling) {
				require.NotEmpty(t, f.LegalName)
				quotes += strings.Count(f.LegalName, `"`)
				require.Equal(t, catalogapi.Registration(catalogapi.TextOf(f.Registration)) == catalogapi.Registered, f.RAUM != nil)
				require.Equal(t, a.Kind == sample.KindADV, f.FundsListed)
			}),
		}
		rowsOf(t, doc.Organization)
		got["websites"] = rowsOf(t, doc.Websites)
		got["types"] = rowsOf(t, doc.Types)
		got["identifiers"] = rowsOf(t, doc.Identifiers)
		got["offices"] = rowsOf(t, doc.Offices)
		got["affiliates"] = rowsOf(t, doc.Affiliates)
		got["owners"] = rowsOf(t, doc.Owners)
		got["disclosures"] = rowsOf(t, doc.Disclosures)
		got["implicated"] = rowsOf(t, doc.Implicated)
		got["funds"] = rowsOf(t, doc.Funds, func(f *catalogapi.FundRow) { require.NotNil(t, f.GAV) })
		got["sub-advised"] = rowsOf(t, doc.SubAdvised)
		got["auditors"] = rowsOf(t, doc.Auditors)
		got["Form D numbers"] = rowsOf(t, doc.FormDNumbers)
		got["feeders"] = rowsOf(t, doc.Feeders)
		got["providers"] = rowsOf(t, doc.Providers)
		got["withdrawals"] = rowsOf(t, doc.Withdrawals)
		got["offerings"] = rowsOf(t, doc.Offerings, func(o *catalogapi.OfferingRow) {
			if o.FileNumber != "" && !o.Filed.IsZero() && o.IndustryGroup != "" {
				joined++
			}
		})
		got["issuers"] = rowsOf(t, doc.Issuers)
		got["persons"] = rowsOf(t, doc.RelatedPersons)
		got["recipients"] = rowsOf(t, doc.Recipients)
		if a.Kind == sample.KindFeed {
			delete(got, "websites") // not counted: a firm of the feed has several, or none
		}
		for sequence, n := range got {
			require.Equal(t, want[sequence], n, "%s of %s", sequence, a.Path)
		}
		require.NoError(t, in.Close())
	}
	require.Positive(t, quotes)
	require.Zero(t, quotes%2)
	notices := 0
	for _, a := range sum.Archives {
		if a.Kind == sample.KindFormD {
			notices += a.Filings
		}
	}
	require.Equal(t, notices, joined, "submission and offering came together")
}
