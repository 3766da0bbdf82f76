package disclosure_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// V49: no row has a name of a person: not of an affiliate, an owner or officer, a plaintiff or an official, and not in a text that filers write
// themselves. Such a text is named in withheld.
func TestNoPersonIsNamed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a := &archive{}
	a.file("5001", "900001", "2026-07-05", "MA")
	a.owners = append(a.owners, &catalogapi.OwnerRow{FilingKey: "5001", Schedule: "A", Name: "LARKSPUR, ADA, Q", EntityType: "I", Title: "PARTNER", File: "ab.csv", Line: 2})
	initiators := []string{
		"FINRA", "United States Securities and Exchange Commission", "TEXAS", "State of New York Department of Financial Services", "Switzerland",
		"Financial Services Agency (Japan)", "Alder Point Trading LLC", // shown
		"Juno Alderwick", "ALDERWICK, JUNO", "Attorney General Juno Alderwick", "State of Texas v. Alderwick", "Alder Point LLC and Juno Alderwick", "A former client",
		"Ada Larkspur Holdings LLC", "SEC (Ada Larkspur)", "The Alderwick Family Trust", "Larkspur",
	}
	for i, by := range initiators {
		a.page(catalogapi.DisclosureRow{FilingKey: "5001", Family: catalogapi.DisclosureCivil, ReferenceID: strconv.Itoa(i), InitiatedBy: by, Allegations: "Against Juno Alderwick."})
	}
	texts := []string{"Acceptance, Waiver & Consent(AWC)", "Decision & Order of Offer of Settlement", "Final", "Pled guilty; 30 days", "Paid by Juno Alderwick", "Alderwick"}
	for i, text := range texts {
		a.page(catalogapi.DisclosureRow{
			FilingKey: "5001", Family: catalogapi.DisclosureRegulatory, ReferenceID: strconv.Itoa(100 + i), InitiatedBy: "FINRA", Resolution: text, Status: "Final",
			Sanctions: []string{"censure", strings.ToLower(text)}, SanctionDetail: "Juno Alderwick was fined.", Summary: "Juno Alderwick denies it.",
		})
	}
	for nth, f := range []struct{ kind, crd, name string }{
		{"Firm", "", "Mossgate Securities, LLC"},
		{"Firm", "", "ALDERWICK SECURITIES LLC"},
		{"Firm", "", "J. Alderwick & Co. LLC"},
		{"Firm", "", "LARKSPUR, ADA"},
		{"Firm", "", "A. Q. Larkspur Advisors LLC"},
		{"Firm", "900002", "Juno Alderwick Advisers"},
		{"Individual", "", "ALDERWICK, JUNO"},
		{"Individual", "", "LARKSPUR, ADA, Q"},
		{"", "", "Bates, Imra"},
	} {
		a.affiliate("5001", "100", f.kind, f.crd, f.name)
		if nth < 2 {
			a.affiliate("5001", "101", f.kind, f.crd, f.name)
		}
	}
	a.load(b, "ADV_Filing_Data_1.zip")
	got := b.get("crd=900001&limit=100")
	require.Len(t, got.Data, len(initiators)+len(texts))
	byReference := map[string]row{}
	for _, r := range got.Data {
		byReference[*r.Reference] = r
	}
	for i, by := range initiators {
		r := byReference[strconv.Itoa(i)]
		if i < 7 {
			require.Equal(t, by, *r.InitiatedBy)
			require.Empty(t, r.Withheld)
		} else {
			require.Nil(t, r.InitiatedBy, by)
			require.Equal(t, []string{"initiated_by"}, r.Withheld)
		}
	}
	for i, text := range texts {
		r := byReference[strconv.Itoa(100+i)]
		if i < 4 {
			require.Equal(t, text, *r.Resolution)
			require.Equal(t, []string{"censure", strings.ToLower(text)}, r.Sanctions)
			require.Empty(t, r.Withheld)
		} else {
			require.Nil(t, r.Resolution, text)
			require.Equal(t, []string{"censure"}, r.Sanctions)
			require.Equal(t, []string{"sanctions", "resolution"}, r.Withheld)
		}
	}
	// A firm may have an individual's last name, as in lists of affiliates. A manager is shown by its own name.
	require.Equal(t, []string{"Mossgate Securities, LLC", "ALDERWICK SECURITIES LLC", "Kestrel Lane Ventures LLC"}, byReference["100"].Affiliates.Firms)
	require.Equal(t, 2, byReference["100"].Affiliates.Individuals)
	require.Equal(t, 4, byReference["100"].Affiliates.Withheld)
	require.Len(t, byReference["101"].Affiliates.Firms, 2)
	words := strings.Join(strings.Fields(strings.ToLower(got.text)), " ")
	for _, name := range []string{"juno", "larkspur", "imra", "client", "denies", "fined"} {
		require.NotContains(t, words, name)
	}
}
