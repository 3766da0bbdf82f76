package index

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// spellings are invented firms, each with ways in which filings write its name. Firms beside each other differ in one word, one letter, one number
// or the legal form.
var spellings = [][]string{
	{"Birch Audit LLC", "BIRCH AUDIT, L.L.C.", "birch audit llc", "Birch  Audit Llc."},
	{"Birch Audit LLP", "BIRCH AUDIT, L.L.P.", "birch audit llp"},
	{"Birch Audit"},
	{"Birch Audit Group LLC", "BIRCH AUDIT GROUP, LLC"},
	{"Birch Audits LLC"},
	{"Halfmoon Fund Services Ltd", "HALFMOON FUND SERVICES, LTD.", "Halfmoon Fund Services, Ltd"},
	{"Halfmoon Fund Services Inc", "HALFMOON FUND SERVICES, INC.", "Halfmoon Fund Services Inc."},
	{"Halfmoon Fund Services (Ireland) Ltd", "HALFMOON FUND SERVICES (IRELAND), LTD."},
	{"Halfmoon Fund Services (Cayman) Ltd", "HALFMOON FUND SERVICES (CAYMAN) LTD"},
	{"Halfmoon Fund Service Ltd"},
	{"Half Moon Custody Bank N.A.", "HALF MOON CUSTODY BANK, NA", "Half Moon Custody Bank NA"},
	{"Half Moon Custody Bank plc", "HALF MOON CUSTODY BANK PLC", "Half Moon Custody Bank P.L.C."},
	{"Alder-Rowan Securities Corp", "ALDER-ROWAN SECURITIES CORP.", "Alder Rowan Securities Corp"},
	{"Alder Rowan Securities II Corp", "ALDER ROWAN SECURITIES II CORP."},
	{"Alder Rowan Securities III Corp"},
	{"Rowan Alder Securities Corp"},
	{"1st Quay Prime Brokerage S.A.", "1ST QUAY PRIME BROKERAGE SA", "1st Quay Prime Brokerage, S.A."},
	{"2nd Quay Prime Brokerage S.A."},
	{"Quay Prime Brokerage S.A."},
	{"Crédit Larkspur S.A.", "CREDIT LARKSPUR SA", "Credit Larkspur, S.A."},
	{"Credit Larkspur (Suisse) S.A."},
	{"Larkspur & Vael Placement L.P.", "LARKSPUR & VAEL PLACEMENT LP", "Larkspur & Vael Placement, L.P."},
	{"Larkspur Placement L.P."},
	{"Vael Placement L.P."},
	{"K.P.Q.R. Administration GmbH", "KPQR Administration GmbH", "KPQR ADMINISTRATION GMBH"},
	{"KPQS Administration GmbH"},
}

// Guarantee: of all pairs of spellings (1378), those of one firm are one provider and no others are, in whichever order they come.
func TestSpellingsOfAProvider(t *testing.T) {
	t.Parallel()
	var rows, reversed []namedRow
	firm := map[int32]int{}
	for n, names := range spellings {
		for _, name := range names {
			id := int32(len(rows) + 1) // #nosec G115 -- a few
			firm[id] = n
			rows = append(rows, namedRow{id: id, FiledProvider: FiledProvider{Name: name}})
		}
	}
	for i := range rows {
		reversed = append(reversed, rows[len(rows)-1-i])
	}
	pairs := 0
	for _, list := range [][]namedRow{rows, reversed} {
		book := newProviderBook(list, nil)
		name := map[int32]string{}
		for i := range list {
			name[list[i].id] = list[i].Name
		}
		for a := range firm {
			for b := range firm {
				if a < b {
					pairs++
					require.Equal(t, firm[a] == firm[b], book.named[a] == book.named[b], "%s · %s", name[a], name[b])
				}
			}
		}
	}
	require.Equal(t, 2*1378, pairs)
}
