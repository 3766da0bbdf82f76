// Package linkkey has the secret key of this service. It seals tokens in unsubscribe links, and is used for the hashes of
// addresses.
package linkkey

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"sync/atomic"

	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

const keyBytes = 32

// Key makes codes and seals. The key is in the database, because all processes need the same one for as long as a mail with a
// link is kept. With it, a reader of the database can unsubscribe people, and nothing else.
type Key struct {
	db    *database.DB
	clock clock.Clock
	key   atomic.Pointer[[]byte]
}

// New reads the key on first use.
func New(db *database.DB, clk clock.Clock) *Key { return &Key{db: db, clock: clk} }

// Code is the HMAC-SHA-256 of a text. purpose separates the codes of different uses.
func (k *Key) Code(ctx context.Context, purpose, text string) ([]byte, error) {
	key, err := k.load(ctx)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte(purpose + "\x00" + text)) // never fails
	return mac.Sum(nil), nil
}

// Sealer seals and opens texts under a key that is derived for a purpose. The result reveals only the length of the text, and
// sealing the same text twice has two different results.
func (k *Key) Sealer(ctx context.Context, purpose string) (cipher.AEAD, error) {
	key, err := k.Code(ctx, "seal", purpose)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

const keySQL = `INSERT INTO notifications.link_keys (id, key, created_at) VALUES (1, @key, @now)
ON CONFLICT (id) DO NOTHING`

func (k *Key) load(ctx context.Context) ([]byte, error) {
	if known := k.key.Load(); known != nil {
		return *known, nil
	}
	read := func() ([][]byte, error) {
		return database.Values[[]byte](ctx, k.db, "read the key of links", "SELECT key FROM notifications.link_keys", nil)
	}
	keys, err := read()
	if err == nil && len(keys) == 0 {
		fresh := make([]byte, keyBytes)
		_, _ = rand.Read(fresh) // never fails: without randomness the program ends
		if _, err = database.Run(ctx, k.db, "make the key of links", keySQL, database.Args{"key": fresh, "now": k.clock.Now()}); err == nil {
			keys, err = read()
		}
	}
	if err != nil {
		return nil, err
	}
	k.key.Store(&keys[0])
	return keys[0], nil
}
