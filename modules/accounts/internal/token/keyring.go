package token

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// secretMin is the minimum length of a signing secret in bytes, that of the hash (RFC 7518, 3.2).
const secretMin = 32

var kidPattern = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// Keyring holds the secrets of access tokens: the first one signs, all of them verify. A new secret is put before the old one,
// which is removed when its last token has expired (fifteen minutes later).
type Keyring struct {
	first   string
	secrets map[string][]byte
}

var errNoKeys = errors.New("no signing key is configured")

// ParseKeys reads "kid:base64secret[,kid2:…]". An empty text is an empty ring, which signs and verifies nothing.
func ParseKeys(text string) (Keyring, error) {
	ring := Keyring{secrets: map[string][]byte{}}
	var faults []error
	for i, entry := range strings.Split(text, ",") {
		if strings.TrimSpace(text) == "" {
			break
		}
		kid, secret, err := parseKey(strings.TrimSpace(entry))
		if err == nil && ring.secrets[kid] != nil {
			err = errors.New("has the same ID as an earlier key")
		}
		if err != nil { // by position: no part of the secret may be logged
			faults = append(faults, fmt.Errorf("key %d %w", i+1, err))
			continue
		}
		if ring.first == "" {
			ring.first = kid
		}
		ring.secrets[kid] = secret
	}
	return ring, errors.Join(faults...)
}

func parseKey(entry string) (kid string, secret []byte, err error) {
	kid, encoded, ok := strings.Cut(entry, ":")
	if !ok || !kidPattern.MatchString(kid) {
		return "", nil, errors.New("is not of the form kid:base64secret")
	}
	encoded = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(encoded), "=")
	secret, err = base64.RawStdEncoding.DecodeString(encoded)
	if err != nil {
		return "", nil, errors.New("has a secret that is not base64")
	}
	if len(secret) < secretMin {
		return "", nil, fmt.Errorf("has a secret of %d bytes; it must have at least %d (openssl rand -base64 32)", len(secret), secretMin)
	}
	return kid, secret, nil
}

// Derive derives secrets for another purpose from those of the ring, in the same order (HKDF-SHA-256).
func (k Keyring) Derive(purpose string) ([][]byte, error) {
	var derived [][]byte
	for kid, secret := range k.secrets {
		d, err := hkdf.Key(sha256.New, secret, nil, purpose, sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("derive a secret: %w", err)
		}
		if kid == k.first {
			derived = append([][]byte{d}, derived...)
		} else {
			derived = append(derived, d)
		}
	}
	return derived, nil
}

// GenerateKeys makes one new key in the format of ParseKeys. Its ID contains the day.
func GenerateKeys(now time.Time) string {
	secret := make([]byte, secretMin)
	_, _ = rand.Read(secret) // never fails: without randomness the program ends
	return "k" + now.UTC().Format("20060102") + ":" + base64.StdEncoding.EncodeToString(secret)
}
