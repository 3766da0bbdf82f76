package derive_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

func TestShownStreet(t *testing.T) {
	t.Parallel()
	for _, c := range [][4]string{
		{"1 Example Wharf", "Floor 2", "1 Example Wharf", "Floor 2"},
		{"C/O Kestrel Trust Company (Cayman) Ltd", "Attn: Investor Services", "C/O Kestrel Trust Company (Cayman) Ltd", "Attn: Investor Services"},
		{"C/O Kestrel Advisors, LLC", "C/O 28/F, Mossgate Tower", "C/O Kestrel Advisors, LLC", "C/O 28/F, Mossgate Tower"},
		{"C/O Juno Alderwick", "Attn: Juno Alderwick", "", ""},
		{"c/o Alderwick, Juno", "Care of J. Alderwick, 5 Example Wharf", "", "5 Example Wharf"},
		{"1 Example Wharf c/o Juno Alderwick", "Suite 4, ATTN Juno Alderwick 5th floor", "1 Example Wharf", "Suite 4, 5th floor"},
		{"C/O Kestrel Services Ltd., Juno Alderwick, 5 Example Wharf", "C/O Orm, Thorne & Rooke, LLP, 6 Example Wharf", "C/O Kestrel Services Ltd., 5 Example Wharf", "6 Example Wharf"},
		{"C/O", "Juno Alderwick", "", ""},
		{"1 Example Wharf, Attention:", "Juno Alderwick, Suite 4", "1 Example Wharf", "Suite 4"},
		{"℅ Juno Alderwick", "% Juno Alderwick", "", ""},
		{"C⁄O Juno Alderwick", "Kestrel Bank Attn. Juno Alderwick", "", "Kestrel Bank"},
		{"c/o Kestrel LLC, 1 Example Wharf, Attn: Mary Alderwick", "Mary Alderwick, c/o Kestrel LLC", "c/o Kestrel LLC, 1 Example Wharf", "c/o Kestrel LLC"},
		{"c/o 3i Group, Mary Alderwick", "1 Example Wharf, c/o Kestrel LLC", "c/o 3i Group", "1 Example Wharf, c/o Kestrel LLC"},
		{"c/oJuno Alderwick", "%Juno Alderwick", "", ""},
		{"C.O. Juno Alderwick", "ATTEN: Juno Alderwick", "", ""},
		{"CARE/OF Juno Alderwick", "F.A.O. Juno Alderwick", "", ""},
		{"Attn 12 Attn Juno Alderwick", "C.O.Juno Alderwick", "Attn 12", ""},
		{"A/C Juno Alderwick", "C/O", "", ""},
		{"c/o", "12 attn Juno Alderwick", "", "12"},
		{"Co Dublin", "Battn Road", "Co Dublin", "Battn Road"},
		{`C\O Robert Alderwick`, "C|O Juno Alderwick, 5 Example Wharf", "", "5 Example Wharf"},
		{"CO Robert Alderwick", "Co. Robert Alderwick, 5 Example Wharf", "", "5 Example Wharf"},
		{"C/O 2Juno Alderwick", "C/O 12Robert Alderwick, 5 Example Wharf", "", "5 Example Wharf"},
		{"C/O 4th Floor", "C/O 3i Group", "C/O 4th Floor", "C/O 3i Group"},
		{"Co Clare", "Co. Kestrel Orm", "Co Clare", "Co. Kestrel Orm"},
		{"Contact: Juno Alderwick", "Addressee Juno Alderwick", "", ""},
		{"Recipient: Juno Alderwick", "To: Juno Alderwick", "", ""},
		{"MAIL TO Juno Alderwick", "FBO Juno Alderwick", "", ""},
		{"Mr. Juno Alderwick", "Mrs Juno Alderwick, 5 Example Wharf", "", "5 Example Wharf"},
		{"Ms Juno Alderwick", "Dr. Robert Alderwick, 5 Example Wharf", "", "5 Example Wharf"},
		{"1 Example Wharf (Robert Alderwick)", "Robert Alderwick (CCO), 5 Example Wharf", "1 Example Wharf", "5 Example Wharf"},
		{"1 Example Wharf, Juno Alderwick (CCO)", "Suite 4 (West Lobby)", "1 Example Wharf", "Suite 4 (West Lobby)"},
		{"Dr Robert Orm Road", "Free Zone, Dr. Robert Orm 1294", "Dr Robert Orm Road", "Free Zone, Dr. Robert Orm 1294"},
		{"1 Example Wharf Dr., Suite 4", "1 to 6, Rue du Mail", "1 Example Wharf Dr., Suite 4", "1 to 6, Rue du Mail"},
		{"12 Example Wharf Mr Juno Alderwick", "Jackson, MS", "12 Example Wharf", "Jackson, MS"},
		{"Jackson MS USA", "Jackson MS 39201", "Jackson MS USA", "Jackson MS 39201"},
		{"Robert Alderwick", "Alderwick, Robert", "", ""},
		{"Robert Alderwick, Managing Member", "Robert Alderwick CPA, 5 Example Wharf", "", "5 Example Wharf"},
		{"Law Office of Robert Alderwick", "Estate of Robert Alderwick, Esq.", "", ""},
		{"Suite 4 - Robert Alderwick", "RE: Robert Alderwick", "Suite 4", ""},
		{"1 Example Wharf, Robert Alderwick, Floor 3", "In care of Robert Alderwick", "1 Example Wharf, Floor 3", ""},
		{"Robert A. Alderwick", "A. Robert Alderwick, 5 Example Wharf", "", "5 Example Wharf"},
		{"Robert van Alderwick", "Robert Alderwick PO Box 12", "", "PO Box 12"},
		{"3, Rue Robert Stumper", "Av. Robert Alderwick, 1350", "3, Rue Robert Stumper", "Av. Robert Alderwick, 1350"},
		{"Robert Alderwick Building, Floor 3", "Peter Cooper Village", "Robert Alderwick Building, Floor 3", "Peter Cooper Village"},
		{"12 Example Street / Robert Alderwick", "Suite 4: Robert Alderwick", "12 Example Street", "Suite 4"},
		{"12 Example Street Robert Alderwick", "Suite 4 Robert A. Alderwick", "12 Example Street", "Suite 4"},
		{"Robert Alderwick 12 Example Street", "Robert Alderwick 12 Example Ave, Suite 4 Robert Alderwick", "12 Example Street", "12 Example Ave, Suite 4"},
		{"3rd Floor Robert Alderwick, 5 Example Wharf", "Unit #4 Robert Alderwick", "3rd Floor, 5 Example Wharf", "Unit #4"},
		{"12 Example Street Suite 4 Robert Alderwick", "12 Example Street, Suite 4B Robert Alderwick", "12 Example Street Suite 4", "12 Example Street, Suite 4B"},
		{"12 Avenue Robert Alderwick", "Robert Alderwick 1294", "12 Avenue Robert Alderwick", "Robert Alderwick 1294"},
		{"12 Example Street Robert Tower", "Suite 4 St. James Park", "12 Example Street Robert Tower", "Suite 4 St. James Park"},
		{"C/ Orense 12", "c/ Otero 5, Planta 3", "C/ Orense 12", "c/ Otero 5, Planta 3"},
		{"C/O Alderwick Legal, FLOOR 4", "c/o Juno Alderwick, P.O. Box 12", "FLOOR 4", "P.O. Box 12"},
		{"Kestrel Capital, Floor 3", "Manager - Front Desk", "Kestrel Capital, Floor 3", "Manager - Front Desk"},
		{"6th Floor (Kestrel Capital)", "5 Example Dr", "6th Floor (Kestrel Capital)", "5 Example Dr"},
	} {
		one, two := derive.ShownStreet(catalogapi.Text(c[0]), catalogapi.Text(c[1]))
		shown := []string{catalogapi.TextOf(one), catalogapi.TextOf(two)}
		require.Equal(t, c[2:], shown, c[:2])
	}
}
