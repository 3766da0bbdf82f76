package token

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"gpatlas/platform/clock"
)

// AccessLifetime is how long an access token is valid.
const AccessLifetime = 15 * time.Minute

const (
	issuer   = "gpatlas"
	audience = "gpatlas-api"
	// tokenMax is the maximum length of a token in bytes. Ours have some 350.
	tokenMax = 2048
)

// Claims are the contents of an access token.
type Claims struct {
	UserID    int64
	SessionID string
	ExpiresAt time.Time
}

// Signer signs and verifies access tokens: JWTs by HMAC-SHA256 and nothing else. The same service signs and verifies, so a
// public key is not needed, and an HMAC is shorter and cheaper to verify on every request. If a third party had to verify
// tokens, EdDSA would be the choice. It is safe for concurrent use.
type Signer struct {
	keys   Keyring
	clock  clock.Clock
	parser *jwt.Parser
}

// NewSigner makes a Signer of a ring of keys.
func NewSigner(keys Keyring, clk clock.Clock) *Signer {
	return &Signer{keys: keys, clock: clk, parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithStrictDecoding(), jwt.WithTimeFunc(clk.Now),
		jwt.WithIssuer(issuer), jwt.WithAudience(audience), jwt.WithExpirationRequired(),
	)}
}

// claims is the form of a token's payload.
type claims struct {
	jwt.RegisteredClaims
	SessionID string `json:"sid"`
}

// Sign makes the access token of a session.
func (s *Signer) Sign(userID int64, sessionID string) (string, error) {
	if s.keys.first == "" {
		return "", errNoKeys
	}
	now := s.clock.Now()
	t := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: issuer, Subject: strconv.FormatInt(userID, 10), Audience: jwt.ClaimStrings{audience},
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(AccessLifetime)), ID: Random(),
		},
		SessionID: sessionID,
	})
	t.Header["kid"] = s.keys.first
	text, err := t.SignedString(s.keys.secrets[s.keys.first])
	if err != nil {
		return "", fmt.Errorf("sign an access token: %w", err)
	}
	return text, nil
}

var (
	errTooLong = errors.New("longer than any access token")
	errLines   = errors.New("has a line break")
	errKey     = errors.New("signed with an unknown key")
	errCrit    = errors.New("has a crit header: it requires unknown extensions")
	errClaims  = errors.New("names no account or no session")
)

// Verify reads an access token. The error has the reason for the log; callers get one message whatever the reason.
func (s *Signer) Verify(text string) (Claims, error) {
	switch {
	case len(text) > tokenMax:
		return Claims{}, errTooLong
	case strings.ContainsAny(text, "\r\n"): // base64 decoders skip them: one token would have many spellings
		return Claims{}, errLines
	}
	var c claims
	if _, err := s.parser.ParseWithClaims(text, &c, s.secret); err != nil {
		return Claims{}, err
	}
	id, err := strconv.ParseInt(c.Subject, 10, 64)
	if err != nil || id <= 0 || strconv.FormatInt(id, 10) != c.Subject || !strings.HasPrefix(c.SessionID, sessionPrefix) {
		return Claims{}, errClaims
	}
	return Claims{UserID: id, SessionID: c.SessionID, ExpiresAt: c.ExpiresAt.UTC()}, nil
}

// secret finds the key that a token names. A token with a crit header, whatever it lists, is rejected: this service knows no
// extensions, and an unknown critical one makes a token invalid (RFC 7515, section 4.1.11). The library does not check it.
func (s *Signer) secret(t *jwt.Token) (any, error) {
	if _, ok := t.Header["crit"]; ok {
		return nil, errCrit
	}
	kid, _ := t.Header["kid"].(string)
	secret, ok := s.keys.secrets[kid]
	if !ok {
		return nil, errKey
	}
	return secret, nil
}
