package derive

import (
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/text"
)

// hardWords are words that only names of firms and funds have, besides unambiguous legal forms. softWords are in names of firms, and
// of trusts that people name after themselves.
var (
	hardWords = text.SetOf(`sas srl spa bv nv aps oyj ulc bank bancorp bancshares insurance assurance university foundation`)
	softWords = text.SetOf(`capital management mgmt advisors advisers advisory partners partnership investments investors holdings fund funds financial ventures
		securities solutions associates brokerage global international group gp`)
	familyWords = text.SetOf(`trust trusts estate ira family revocable irrevocable living descendants fbo ugma utma`)
	// trustCompany are words behind "trust" in the names of banks.
	trustCompany = text.SetOf(`company co corporation corp bank na`)
)

// NamesFirm reports whether a name is that of a firm. It is false where it may be a person's, as for a sole proprietor, or that of a trust
// or family vehicle, which are called after persons.
func NamesFirm(name string) bool {
	words := text.Words(name)
	soft := false
	for _, word := range words {
		if hardWords[word] || catalogapi.LegalFormOf(word) >= catalogapi.FormNotOfName {
			return true
		}
		soft = soft || softWords[word] && len(words) > 1
	}
	return soft && !NamesVehicle(name)
}

// NamesVehicle reports whether a name is that of a trust, an estate, a retirement account or a family vehicle, with a legal form or
// without. A trust company is none.
func NamesVehicle(name string) bool {
	words := text.Words(name)
	for i, word := range words {
		realEstate := word == "estate" && i > 0 && words[i-1] == "real"
		company := word == "trust" && i+1 < len(words) && trustCompany[words[i+1]]
		if familyWords[word] && !realEstate && !company {
			return true
		}
	}
	return false
}

// NamesPerson reports whether a text has the first and the last name of a person as filed ("LAST, FIRST, MIDDLE"), wherever they stand.
func NamesPerson(s, filed string) bool {
	last, rest, comma := strings.Cut(filed, ",")
	first, _, _ := strings.Cut(rest, ",")
	if !comma {
		words := strings.Fields(filed)
		if len(words) < 2 {
			return false
		}
		first, last = words[0], words[len(words)-1]
	}
	first, _, _ = strings.Cut(strings.TrimSpace(first), " ")
	letters := strings.Join(text.Words(s), "")
	last, first = strings.Join(text.Words(last), ""), strings.Join(text.Words(first), "")
	return len(last) > 1 && strings.Contains(letters, last) && (len(first) > 1 && strings.Contains(letters, first) || first != "" && strings.Contains(letters, first[:1]+last))
}
