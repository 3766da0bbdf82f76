package derive_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/internal/derive"
)

func TestShownText(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"Fund of one for an insurance company": true, "Multi-strategy private fund": true, "Separately managed account": true, "Litigation finance": true, "Infrastructure – debt and equity": true, "FUND OF FUNDS": true,
		"Delaware": true, "Isle of Man": true, "Freedonia": true, "Mossgate account": true,
		"account of Juno Alderwick": false, "JUNO ALDERWICK": false, "Robert Alderwick": false, "Mr. Alderwick": false, "c/o Juno Alderwick": false, "loans\u200bto Juno": false, "Robert.Alderwick LLC": false, "Robert'Alderwick": false, "Alderwick, J.": false, "Alderwick/J LLC": false,
	} {
		require.Equal(t, want, derive.ShownText(&s) != nil, s)
	}
	require.Nil(t, derive.ShownText(nil))
}
