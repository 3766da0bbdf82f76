package idempotency

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"gpatlas/platform/httpapi"
)

// Secrets are the server's: the first encrypts, all of them decrypt, so that they can be replaced.
type Secrets [][]byte

var errUnreadable = errors.New("the kept answer was encrypted with a secret that is no longer known")

// scope is the owner of a client's key, as bytes.
func scope(r httpapi.KeyedRequest) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(r.Account))
	if r.Test {
		return append(b, 1)
	}
	return append(b, 0)
}

// hashKey is a client's key as it is stored.
func hashKey(r httpapi.KeyedRequest) []byte {
	sum := sha256.Sum256(append(scope(r), r.Key...))
	return sum[:]
}

// fingerprint distinguishes a request from others with the same key. It is keyed with the client's key, which is not stored, so
// the request cannot be guessed from it.
func fingerprint(r httpapi.KeyedRequest) []byte {
	mac := hmac.New(sha256.New, append(scope(r), r.Key...))
	mac.Write([]byte(r.Operation + "\n"))
	mac.Write(r.Content)
	return mac.Sum(nil)
}

func (s Secrets) cipher(i int, r httpapi.KeyedRequest) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, s[i], scope(r), "gpatlas idempotency "+r.Key, 32)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make a cipher: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block) //nolint:wrapcheck // it fails for blocks of another size only
}

// seal encrypts an answer.
func (s Secrets) seal(r httpapi.KeyedRequest, answer httpapi.KeptAnswer) ([]byte, error) {
	if len(s) == 0 {
		return nil, errUnreadable
	}
	plain, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	aead, err := s.cipher(0, r)
	if err != nil {
		return nil, err
	}
	return aead.Seal(nil, nil, plain, fingerprint(r)), nil //nolint:gosec // the nonce is random: GCM with a random nonce makes it itself
}

// open decrypts an answer.
func (s Secrets) open(r httpapi.KeyedRequest, sealed []byte) (*httpapi.KeptAnswer, error) {
	for i := range s {
		aead, err := s.cipher(i, r)
		if err != nil {
			return nil, err
		}
		plain, err := aead.Open(nil, nil, sealed, fingerprint(r))
		if err != nil {
			continue // of another secret
		}
		answer := &httpapi.KeptAnswer{}
		if err := json.Unmarshal(plain, answer); err != nil {
			return nil, fmt.Errorf("decode the kept answer: %w", err)
		}
		return answer, nil
	}
	return nil, errUnreadable
}

// newID is a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: without randomness the program ends
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
