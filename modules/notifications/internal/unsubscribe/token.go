// Package unsubscribe lets people refuse mails by the links in them.
package unsubscribe

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"net/url"
	"strconv"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/linkkey"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/platform/apperr"
)

// pagePath is the page behind the link, before its token.
const pagePath = "/v1/unsubscribe/"

// A token is 8 bytes of the account's number and a byte for the category, sealed, in base64url. It is not stored and does not
// expire, because people keep mails. Until November 2026 tokens were the same bytes in clear with a code of both. Such links
// keep working; they are recognized by their length.
const (
	purpose     = "unsubscribe"
	idBytes     = 8
	clearBytes  = idBytes + 1
	sealedBytes = clearBytes + 12 + 16 // nonce and tag of AES-GCM
	codeBytes   = 20
	oldBytes    = clearBytes + codeBytes
)

// marks are the categories in tokens. A mark is never reused for another category.
var marks = map[byte]string{1: kind.Billing, 2: kind.ActivityDigest, 3: kind.MarketIntel, 4: kind.Product}

// Tokens makes and reads the tokens of unsubscribe links.
type Tokens struct {
	key *linkkey.Key
	url accountsapi.PublicURL
}

var _ render.Unsubscriber = (*Tokens)(nil)

// NewTokens makes tokens with a key, for links that begin with url.
func NewTokens(key *linkkey.Key, url accountsapi.PublicURL) *Tokens { return &Tokens{key, url} }

// URL implements render.Unsubscriber. It is empty for a category that cannot be refused.
func (t *Tokens) URL(ctx context.Context, userID int64, category string) (string, error) {
	for mark, name := range marks {
		if name == category {
			token, err := t.make(ctx, userID, mark)
			return t.url.Page(pagePath + token), err
		}
	}
	return "", nil
}

func (t *Tokens) make(ctx context.Context, userID int64, mark byte) (string, error) {
	sealer, err := t.key.Sealer(ctx, purpose)
	if err != nil {
		return "", err
	}
	raw := append(binary.BigEndian.AppendUint64(nil, uint64(userID)), mark)
	return base64.RawURLEncoding.EncodeToString(sealer.Seal(nil, nil, raw, nil)), nil //nolint:gosec // the sealer draws a random nonce itself
}

// read returns the account and the category of a token. Tokens that are not ours are not found.
func (t *Tokens) read(ctx context.Context, token string) (userID int64, category string, err error) {
	raw, bad := base64.RawURLEncoding.Strict().DecodeString(token)
	if bad != nil || len(token) != base64.RawURLEncoding.EncodedLen(len(raw)) { // the decoder skips line breaks
		return 0, "", errToken
	}
	switch len(raw) {
	case sealedBytes:
		raw, err = t.open(ctx, raw)
	case oldBytes:
		raw, err = t.check(ctx, raw)
	default:
		err = errToken
	}
	if err != nil {
		return 0, "", err
	}
	if category = marks[raw[idBytes]]; category == "" {
		return 0, "", errToken
	}
	return int64(binary.BigEndian.Uint64(raw)), category, nil
}

// open returns the contents of a sealed token.
func (t *Tokens) open(ctx context.Context, raw []byte) ([]byte, error) {
	sealer, err := t.key.Sealer(ctx, purpose)
	if err != nil {
		return nil, err
	}
	raw, bad := sealer.Open(nil, nil, raw, nil)
	if bad != nil {
		return nil, errToken
	}
	return raw, nil
}

// check returns the clear part of an old token if its code is right.
func (t *Tokens) check(ctx context.Context, raw []byte) ([]byte, error) {
	userID, mark := int64(binary.BigEndian.Uint64(raw)), raw[idBytes]
	code, err := t.key.Code(ctx, purpose, strconv.FormatInt(userID, 10)+":"+strconv.Itoa(int(mark)))
	if err != nil {
		return nil, err
	}
	if !hmac.Equal(code[:codeBytes], raw[clearBytes:]) {
		return nil, errToken
	}
	return raw[:clearBytes], nil
}

var errToken = apperr.NotFound("There is no such unsubscribe link")

// base is the path of the page before the token, as a browser requests it: behind a proxy the pages may have a path prefix.
func (t *Tokens) base() string {
	u, err := url.Parse(t.url.Page(pagePath))
	if err != nil {
		return pagePath
	}
	return u.Path
}
