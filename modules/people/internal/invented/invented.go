// Package invented stands in for what is personal where a test key asks: the same person is always the same invented one.
package invented

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"gpatlas/modules/people/internal/title"
)

// Name is the name of whoever stands in for a person: first and last.
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

// Email is an address that nobody has.
func Email(uid string) string {
	first, last := Name(uid)
	return strings.ToLower(first + "." + last + "@invented.example")
}

// Phone is a number of the block that is kept for fiction.
func Phone(uid string) string {
	sum := sha256.Sum256([]byte("invented|phone|" + uid))
	return fmt.Sprintf("+1 212-555-01%02d", sum[0]%100)
}

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
