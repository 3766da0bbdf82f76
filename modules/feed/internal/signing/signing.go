// Package signing signs webhooks as the Standard Webhooks specification says, and keeps the secrets of endpoints sealed.
package signing

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
	// leastSecret and mostSecret are the lengths that the specification allows. The library accepts an empty one.
	leastSecret, mostSecret = 24, 64
)

var errSecret = errors.New("signing: a secret must have 24 to 64 bytes")

// NewSecret makes a secret of an endpoint.
func NewSecret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // never fails: without randomness the program ends
	return secretPrefix + base64.StdEncoding.EncodeToString(b[:])
}

// Headers are the headers of a message. Each secret signs; the receiver accepts any of the signatures.
func Headers(secrets []string, id string, at time.Time, body []byte) (http.Header, error) {
	if len(secrets) == 0 {
		return nil, errSecret
	}
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix))
		if err != nil || len(key) < leastSecret || len(key) > mostSecret {
			return nil, errSecret
		}
		w, err := standard.NewWebhookRaw(key)
		if err == nil {
			signatures[i], err = w.Sign(id, at, body)
		}
		if err != nil {
			return nil, fmt.Errorf("sign a webhook: %w", err)
		}
	}
	h := http.Header{"Content-Type": {"application/json"}}
	h.Set(standard.HeaderWebhookID, id)
	h.Set(standard.HeaderWebhookTimestamp, strconv.FormatInt(at.Unix(), 10))
	h.Set(standard.HeaderWebhookSignature, strings.Join(signatures, " "))
	return h, nil
}

// idLength is how many letters of the hash an ID has: 130 bits.
const idLength = 26

// MessageID is the ID of an endpoint's message about an event. It is the same whenever the message is made and sent, so that receivers
// recognize repetitions.
func MessageID(endpoint string, seq int64, kind string) string {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64([]byte(endpoint+"\n"+kind+"\n"), uint64(seq)))
	return "msg_" + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:idLength])
}
