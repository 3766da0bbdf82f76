package identity

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"strings"

	"gpatlas/modules/people/internal/name"
)

// uidLetters are the letters of RFC 4648 base32 in lower case.
var uidLetters = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// uidOf makes the uid of an identity key. The same key has the same uid, which reveals nothing about the key.
func uidOf(key string) string {
	sum := sha256.Sum256([]byte(key))
	return "per_" + uidLetters.EncodeToString(sum[:10])
}

// IsUID reports whether a text has the form of a person's uid.
func IsUID(s string) bool {
	rest, ok := strings.CutPrefix(s, "per_")
	return ok && len(rest) == 16 && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// numberKey identifies a person by the IARD number. The name is part of it, because old files give one number to several
// people.
func numberKey(number string, k name.Key) string {
	return "number|" + number + "|" + k.Last + "|" + name.Formal(k.First)
}

// firmKey identifies a person by name within one adviser.
func firmKey(crd string, k name.Key) string { return "firm|" + crd + "|" + k.String() }

// personNumber returns the number that identifies an individual: six or seven digits, not the adviser's own.
func personNumber(filed, crd string) string {
	if len(filed) < 6 || len(filed) > 7 || filed[0] == '0' || filed == crd || strings.Trim(filed, "0123456789") != "" {
		return ""
	}
	return filed
}

// nameHash is what a suppression stores of a name at an adviser: everyone with that name there is left out.
func nameHash(crd, lastKey, firstKey string) string {
	return hashed(nameHashed + crd + "|" + lastKey + "|" + firstKey)
}

const nameHashed = "suppressed|firm|"

// nameHashSQL is nameHash of a post p: see TestNameHashInSQL.
const nameHashSQL = "encode(sha256(convert_to('" + nameHashed + "' || p.crd || '|' || p.last_key || '|' || p.first_key, 'UTF8')), 'hex')"

// firmNumberHash is what a suppression stores of a number at an adviser.
func firmNumberHash(crd, number string) string {
	return hashed("suppressed|firm number|" + crd + "|" + number)
}

// numberHash is what a suppression stores of a number: everyone with it at any adviser is suppressed, unless a split makes it
// another person there.
func numberHash(number string) string { return hashed("suppressed|number|" + number) }

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
