// Package secret writes and reads the text of API keys: gpa_live_ or gpa_test_, then Base58, 52 characters in all. The last six
// are a checksum of the rest, so that a typing error is rejected without a look-up and a scanner for leaked secrets can
// recognize a key.
package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"strings"

	"github.com/mr-tron/base58"
)

// The modes of keys: a test key reads the same data and is charged nothing.
const (
	Live = "live"
	Test = "test"
)

// Length of a key in characters.
const Length = 52

const (
	livePrefix = "gpa_live_"
	testPrefix = "gpa_test_"
	checkAt    = Length - 6                                                   // where the checksum begins
	bodyLength = checkAt - len(livePrefix)                                    // random characters
	randomSize = 27                                                           // bytes that always fit into them: 216 bits
	alphabet   = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz" // Bitcoin's
)

// Hash is the stored form of a key: a SHA-256, because a key is too long and random to be guessed.
type Hash [sha256.Size]byte

// New makes a key of a mode.
func New(mode string) string {
	random := make([]byte, randomSize)
	_, _ = rand.Read(random) // never fails: it ends the process instead
	body := base58.Encode(random)
	prefix := livePrefix
	if mode == Test {
		prefix = testPrefix
	}
	rest := prefix + strings.Repeat(alphabet[:1], bodyLength-len(body)) + body
	check := checksum(rest)
	return rest + string(check[:])
}

// Parse returns a key's mode; false for a text that cannot be a key, such as one with a typing error.
func Parse(key string) (mode string, ok bool) {
	if len(key) != Length {
		return "", false
	}
	switch key[:len(livePrefix)] {
	case livePrefix:
		mode = Live
	case testPrefix:
		mode = Test
	default:
		return "", false
	}
	for i := len(livePrefix); i < checkAt; i++ {
		if !isBase58[key[i]] {
			return "", false
		}
	}
	check := checksum(key[:checkAt])
	if key[checkAt:] != string(check[:]) {
		return "", false
	}
	return mode, true
}

// Sum is the hash of a key.
func Sum(key string) Hash {
	var text [Length]byte // avoids an allocation per request
	return sha256.Sum256(text[:copy(text[:], key)])
}

// LastFour characters of a key, for its hint.
func LastFour(key string) string { return key[len(key)-4:] }

// Hint is how lists show a key: enough to distinguish one's own keys.
func Hint(mode, lastFour string) string {
	if mode == Test {
		return testPrefix + "…" + lastFour
	}
	return livePrefix + "…" + lastFour
}

// checksum is the CRC-32 (IEEE) of a text as a number of six digits in Base58, which hold it easily.
func checksum(text string) (digits [6]byte) {
	sum := ^uint32(0)
	for i := range len(text) { // without converting to bytes, which would allocate per request
		sum = crc32.IEEETable[byte(sum)^text[i]] ^ sum>>8
	}
	sum = ^sum
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = alphabet[sum%58]
		sum /= 58
	}
	return digits
}

var isBase58 = func() (is [256]bool) {
	for i := range len(alphabet) {
		is[alphabet[i]] = true
	}
	return is
}()
