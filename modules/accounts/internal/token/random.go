// Package token makes and reads the credentials of sessions: signed access tokens, and random ones (refresh tokens,
// session ids), of which only a hash is stored.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// randomBytes of a random token: as many as its hash.
const randomBytes = 32

// refreshPrefix tells people and secret scanners what they have found. It is not that of API keys (gpa_), so that a refresh
// token in the wrong place is answered as a wrong access token.
const refreshPrefix = "gpar_"

// sessionPrefix is how the ids of sessions begin.
const sessionPrefix = "sess_"

// NewRefresh makes a refresh token of 256 random bits.
func NewRefresh() string { return refreshPrefix + Random() }

// Random is 256 random bits as text for addresses.
func Random() string {
	b := make([]byte, randomBytes)
	_, _ = rand.Read(b) // never fails: the program ends where there is no randomness
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hash is what is stored of a random token. It has more bits than can be tried, so that a fast hash is enough.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// NewSessionID makes a session's id. It is no secret, but cannot be guessed either: 128 random bits.
func NewSessionID() string { return sessionPrefix + strings.ToLower(rand.Text()) }
