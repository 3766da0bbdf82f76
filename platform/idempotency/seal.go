package idempotency

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/seal"
)

// Secrets are the server's.
type Secrets = seal.Secrets

var errUnreadable = fmt.Errorf("the kept answer: %w", seal.ErrUnreadable)

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

func sealedFor(r httpapi.KeyedRequest) seal.Context {
	return seal.Context{Purpose: "gpatlas idempotency " + r.Key, Owner: scope(r), Bound: fingerprint(r)}
}

// sealAnswer encrypts an answer.
func sealAnswer(s Secrets, r httpapi.KeyedRequest, answer httpapi.KeptAnswer) ([]byte, error) {
	plain, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return s.Seal(plain, sealedFor(r))
}

// openAnswer decrypts an answer.
func openAnswer(s Secrets, r httpapi.KeyedRequest, sealed []byte) (*httpapi.KeptAnswer, error) {
	plain, _, err := s.Open(sealed, sealedFor(r))
	if err != nil {
		return nil, err
	}
	answer := &httpapi.KeptAnswer{}
	if err := json.Unmarshal(plain, answer); err != nil {
		return nil, fmt.Errorf("decode the kept answer: %w", err)
	}
	return answer, nil
}

// newID is a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: without randomness the program ends
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
