// Package invented replaces personal data for test keys, and provider data for the people of the sample: the same ID is always
// the same invented person. Test keys see invented IDs as well: a real one follows from a name, so a guess could be checked
// against a list, and an ID that is on two lists would show who moved where.
package invented

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"gpatlas/modules/people/internal/name"
	"gpatlas/modules/people/internal/title"
)

// Source is the source of what is invented.
const Source = "invented"

// Location is where all invented people are.
const Location = "Boston, MA (invented)"

// NetworkURL is a profile in a network that does not exist.
func NetworkURL(uid string) string { return "https://network.invented.example/" + uid }

// Nobody is the ID of a person who does not exist, for clients that test their error handling with a test key.
const Nobody = "per_aaaaaaaaaaaaaaaa"

// UID is the ID of one of the people that test keys see on a manager's list.
func UID(crd, list string, number int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "invented|uid|%s|%s|%d", crd, list, number))
	return "per_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:10]))
}

// Names is how many names there are.
func Names() int { return len(firsts) * len(lasts) * len(endings) }

// Known is whether a provider knows the person: seven of eight are.
func Known(uid string) bool { return drawn("known", uid)[0]%8 > 0 }

// Graduated is the year in which the person left school.
func Graduated(uid string) int { return 1988 + int(drawn("graduated", uid)[0])%16 }

// Name is the first and last name of the invented person.
func Name(uid string) (first, last string) {
	sum := sha256.Sum256([]byte("invented|" + uid))
	return firsts[int(sum[0])%len(firsts)], lasts[int(sum[1])%len(lasts)] + endings[int(sum[2])%len(endings)]
}

// Title is a title of the role.
func Title(r title.Role) string {
	switch r {
	case title.Partner:
		return "Partner (invented)"
	case title.MD:
		return "Managing Director (invented)"
	case title.VP:
		return "Vice President (invented)"
	case title.Associate:
		return "Associate (invented)"
	default:
		return "Member (invented)"
	}
}

var (
	firsts = []string{
		"Aldwyth", "Brannoc", "Cressida", "Dunstan", "Elowen", "Fenella", "Gwydion", "Hesper", "Isolde", "Jorrick", "Kerensa", "Lorcan", "Merewen",
		"Nimue", "Orlaith", "Peregrin", "Quennel", "Rowena", "Saffi", "Tamsel", "Ulric", "Verity", "Wystan", "Xanthe", "Ysolda", "Zennor",
	}
	lasts   = []string{"Testing", "Sample", "Placehold", "Mockb", "Exampl", "Trial", "Dummy", "Fixt", "Stub", "Fable", "Fictional", "Proxy"}
	endings = []string{"wick", "ford", "stone", "mere", "combe", "thwaite", "dale", "hurst", "worth", "brook", "field", "holt"}
)

// Email is an address that does not exist.
func Email(uid string) string {
	first, last := Name(uid)
	return EmailOf(first, last)
}

// EmailOf is the address for a name.
func EmailOf(first, last string) string {
	return strings.ToLower(strings.Join(strings.Fields(name.Fold(first+" "+last)), ".")) + "@invented.example"
}

// Phone is a number of the block reserved for fiction.
func Phone(uid string) string {
	sum := sha256.Sum256([]byte("invented|phone|" + uid))
	return fmt.Sprintf("+1 212-555-01%02d", sum[0]%100)
}

func drawn(what, uid string) [sha256.Size]byte {
	return sha256.Sum256([]byte("invented|" + what + "|" + uid))
}

// Role is the person's role. It does not depend on the real role.
func Role(uid string) title.Role {
	return []title.Role{
		title.Partner, title.Partner, title.Partner, title.MD, title.MD, title.VP, title.Associate, title.Other,
	}[drawn("role", uid)[0]%8]
}

// Employer is the name of the manager at which the person is now.
func Employer(uid string) string {
	sum := drawn("employer", uid)
	return lasts[int(sum[0])%len(lasts)] + endings[int(sum[1])%len(endings)] + " Advisers (invented)"
}

// CRD is the number of that manager. It has ten digits; real ones have at most seven.
func CRD(uid string) string {
	sum := drawn("crd", uid)
	return fmt.Sprintf("99%02d%06d", sum[0]%100, (int(sum[1])<<16|int(sum[2])<<8|int(sum[3]))%1_000_000)
}

// Since is the first of the month in which the person joined.
func Since(uid string) time.Time {
	sum := drawn("since", uid)
	return time.Date(2007+int(sum[0])%10, time.Month(1+int(sum[1])%12), 1, 0, 0, 0, 0, time.UTC)
}

// Named is the day of the last filing that names the person on a team.
func Named(uid string) time.Time {
	sum := drawn("named", uid)
	return time.Date(2025, time.March, 2+int(sum[0])%28, 0, 0, 0, 0, time.UTC)
}

// Left is the two days between which the person left another manager.
func Left(uid string) (after, before time.Time) {
	sum := drawn("left", uid)
	after = time.Date(2017+int(sum[0])%6, time.March, 2+int(sum[1])%28, 0, 0, 0, 0, time.UTC)
	return after, after.AddDate(1, 0, int(sum[2])%7)
}

// Elsewhere reports whether a person who has left a manager is at another one now.
func Elsewhere(uid string) bool { return drawn("elsewhere", uid)[0]%2 == 0 }

// Firm is the name of an earlier employer.
func Firm(uid string) string {
	sum := sha256.Sum256([]byte("invented|firm|" + uid))
	return lasts[int(sum[0])%len(lasts)] + endings[int(sum[1])%len(endings)] + " Capital (invented)"
}

// School is the name of a school.
func School(uid string) string {
	sum := sha256.Sum256([]byte("invented|school|" + uid))
	return "University of " + lasts[int(sum[0])%len(lasts)] + endings[int(sum[1])%len(endings)] + " (invented)"
}
