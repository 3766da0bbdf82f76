// Package invented stands in for what is personal where a test key asks: the same person is always the same invented one.
package invented

import (
	"crypto/sha256"

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
