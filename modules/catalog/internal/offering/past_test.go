package offering_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
)

// V24: as_of between notices. The offerings of a past day are, byte for byte, those that the service showed on that day: of chains that later notices
// joined or renumbered, of funds that were named, numbered, closed or joined by a later filing.
func TestOfferingsOfAPastDay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const other, named = "0000000013", "805-0000000021"
	issuer := func(n *notice) { n.issuer = "Kestrel Lane Seed Fund, L.P." }
	pays := func(names ...string) func(n *notice) {
		return func(n *notice) {
			for _, name := range names {
				n.recipients = append(n.recipients, &catalogapi.RecipientRow{Name: name})
			}
		}
	}
	type told struct{ day, path, text string }
	var all []told
	paths := []string{"gps/900001", "gps/900002", "funds/" + raised, "funds/805-0000000012", "funds/805-" + other, "funds/" + named}
	on := func(day string) {
		at, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		b.on(at.Add(20 * time.Hour))
		for _, path := range paths {
			if strings.HasSuffix(path, other) && day < "2026-10-01" {
				continue // no filing has named it
			}
			for _, query := range []string{"", "history=true"} {
				all = append(all, told{day, path + "/offerings?" + query, b.get(path + "/offerings?" + query).text})
			}
		}
	}
	on("2026-07-05")
	b.load(filed(31, number, "2026-07-10", pays("Mossgate Placement LLC", "Juno Alderwick")), filed(41, "", "2026-07-10", issuer))
	on("2026-07-20")
	b.load(filed(33, "021-900099", "2026-08-01"), filed(42, "", "2026-08-05", issuer, amends(41)))
	on("2026-08-31")
	b.load(filed(34, "021-900099", "2026-09-01", amends(31), pays("Kestrel Lane Ventures LLC"))) // joins two chains, and gives one a new number
	on("2026-09-20")
	b.file("9001", "2026-10-01", "0000000011", "0000000012", other) // two funds with one number
	on("2026-10-05")
	b.file("9002", "2026-10-10", "0000000012", other) // one of them is closed
	on("2026-10-15")
	b.load(filed(43, "021-900043", "2026-10-20", issuer, amends(42), func(n *notice) { n.Remaining = new(int64(0)) }))
	on("2026-10-25")
	b.on(time.Date(2027, 8, 1, 0, 0, 0, 0, time.UTC))
	seen := map[string]bool{}
	for _, was := range all {
		then := b.get(was.path + "&as_of=" + was.day).text
		require.Equal(t, was.text, strings.Replace(then, fmt.Sprintf(`,"as_of":%q`, was.day), "", 1), "%s on %s", was.path, was.day)
		seen[was.text] = true
	}
	require.Greater(t, len(seen), 25)
	for day, want := range map[string]string{"2026-08-05": "raising", "2026-07-08": "lapsed", "2026-10-12": "closed"} {
		require.Equal(t, want, b.get("funds/"+raised+"/offerings?as_of="+day).of(stage), day)
	}
	require.Equal(t, b.get("gps/900001/offerings").Data, b.get("gps/900001/offerings?as_of=2027-08-01").Data, "today")
}
