package parse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// A page by which a filer takes an event out of its record is none. The table still has rows, so the filing is not silent about it.
func TestRemovedDisclosuresAreNone(t *testing.T) {
	t.Parallel()
	page := func(reference, removed string) string {
		return `7,"AMENDED","Y",` + reference + `,"` + removed + `","Final"`
	}
	all := childFiles()
	all["IA_DRP_Regulatory"+month] = table("FilingID,Initial/Amended,11.C(1),ReferenceID,DRP Removed,Status",
		page("1", "N"), page("2", "Y"), page("3", ""), page("4", "yes"), page("5", "maybe"))
	c := mustDrainChildren(t, folder(t, all))
	var references []string
	for _, d := range c.disclosures {
		if d.Family == catalogapi.DisclosureRegulatory {
			references = append(references, d.ReferenceID)
		}
	}
	require.Equal(t, []string{"1", "3", "5"}, references)
	require.Empty(t, c.reasons())

	all["IA_DRP_Regulatory"+month] = table("FilingID,Initial/Amended,11.C(1),ReferenceID,DRP Removed,Status", page("2", "Y"))
	c = mustDrainChildren(t, folder(t, all))
	require.NotContains(t, c.filings[0].Silent, catalogapi.OfPart(catalogapi.TableDisclosures, catalogapi.DisclosureRegulatory))
}
