// Package seal encrypts what is stored and must be read again, with secrets of the server: AES-GCM under a key that HKDF derives from
// a secret, for one purpose and one owner. What is sealed for one owner cannot be opened as another's.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
)

// Secrets are the server's: the first seals, all of them open, so that they can be replaced.
type Secrets [][]byte

// ErrUnreadable means that none of the secrets opens a sealed text.
var ErrUnreadable = errors.New("it was encrypted with a secret that is no longer known")

// Context is what a sealed text belongs to. Open needs the same as Seal.
type Context struct {
	Purpose string
	Owner   []byte
	Bound   []byte // more that must be the same
}

func (s Secrets) cipher(i int, c Context) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, s[i], c.Owner, c.Purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make a cipher: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block) //nolint:wrapcheck // it fails for blocks of another size only
}

// Seal encrypts with the first secret.
func (s Secrets) Seal(plain []byte, c Context) ([]byte, error) {
	if len(s) == 0 {
		return nil, ErrUnreadable
	}
	aead, err := s.cipher(0, c)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, plain, c.Bound), nil //nolint:gosec // the nonce is random: GCM with a random nonce makes it itself
}

// Open decrypts. old reports that another secret than the first was needed: seal it again before that secret is removed.
func (s Secrets) Open(sealed []byte, c Context) (plain []byte, old bool, err error) {
	for i := range s {
		aead, err := s.cipher(i, c)
		if err != nil {
			return nil, false, err
		}
		if plain, err := aead.Open(nil, nil, sealed, c.Bound); err == nil {
			return plain, i > 0, nil
		}
	}
	return nil, false, ErrUnreadable
}
