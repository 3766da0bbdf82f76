package name_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/name"
)

func TestIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		filed, text string
		whole, last bool
	}{
		{"LARKSPUR, ADA, MARIE", "THE ADA M. LARKSPUR 2012 REVOCABLE TRUST", true, true},
		{"LARKSPUR, ADA", "Larkspur, Ada - IRA", true, true},
		{"LARKSPUR, ADA", "A. LARKSPUR LIVING TRUST", true, true},
		{"LARKSPUR, ADA", "LARKSPUR SERIES A TRUST", false, true},
		{"LARKSPUR, ADA", "LARKSPUR FAMILY TRUST", false, true},
		{"LARKSPUR, ADA", "ADALARKSPUR LLC", false, true},
		{"LARKSPUR, ADA", "ADA HOLDINGS LLC", false, false},
		{"DE LA MOSS, BILL", "WILLIAM AND IRIS DE LA MOSS TRUST", true, true},
		{"O'MOSSGATE, BRENNA", "Brenna O’Mossgate Trust", true, true},
		{"LEE, ANN", "PLANNED LEEWARD TRUST", false, true},
		{"LARKSPUR, A", "A LARKSPUR TRUST", true, true},
		{"LARKSPUR, A", "ADA LARKSPUR AND A TRUST", false, true},
		{"", "ADA LARKSPUR TRUST", false, false},
	} {
		whole, last := name.Parse(c.filed).Key().In(c.text)
		require.Equal(t, []bool{c.whole, c.last}, []bool{whole, last}, "%s in %s", c.filed, c.text)
	}
}
