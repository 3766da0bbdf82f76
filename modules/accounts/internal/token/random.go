// Package token makes and reads the credentials of sessions: signed access tokens, and random ones (refresh tokens, session
// IDs), which are stored only as hashes.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// randomBytes of a random token: as many as its hash.
const randomBytes = 32

// refreshPrefix identifies a refresh token for people and secret scanners. It differs from that of API keys (gpa_), so that a
// refresh token in the wrong place is answered like a wrong access token.
const refreshPrefix = "gpar_"

// sessionPrefix is how the ids of sessions begin.
const sessionPrefix = "sess_"

// NewRefresh makes a refresh token of 256 random bits.
func NewRefresh() string { return refreshPrefix + Random() }

// Random is 256 random bits as text for URLs.
func Random() string {
	b := make([]byte, randomBytes)
	_, _ = rand.Read(b) // never fails: without randomness the program ends
	return base64.RawURLEncoding.EncodeToString(b)
}

// Hash is what is stored of a random token. The token has too many bits to guess, so a fast hash is enough.
func Hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// NewSessionID makes a session's id. It is no secret, but cannot be guessed either: 128 random bits.
func NewSessionID() string { return sessionPrefix + strings.ToLower(rand.Text()) }
