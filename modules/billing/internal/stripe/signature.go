package stripe

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader has the signature of an event.
const SignatureHeader = "Stripe-Signature"

// Tolerance is how far the time of a signature may be from ours, in either direction.
const Tolerance = 300 * time.Second

// Why a signature does not verify. The messages are for the sender.
var (
	ErrUnsigned  = errors.New("the request is not signed: it must be t=SECONDS,v1=HEX")
	ErrNoTime    = errors.New("has no time: t=SECONDS is missing")
	ErrBadTime   = errors.New("has a malformed time: t must be Unix seconds")
	ErrNoV1      = errors.New("has no signature: v1=HEX is missing")
	ErrBadV1     = errors.New("has a malformed signature: v1 must be 64 hexadecimal digits")
	ErrSignature = errors.New("the signature is not of this body and this endpoint's secret")
	ErrTime      = errors.New("the time of the signature is more than 300 seconds from now")
)

// mostSignatures bounds the work for one header. Stripe sends one for each secret that is valid.
const mostSignatures = 16

// Verify checks the Stripe-Signature header of a webhook's body: "t=SECONDS,v1=HEX", with further v1 while a secret is being
// replaced. One of the signatures must be an HMAC-SHA256 of the time, a dot and the body by one of the secrets, and the time
// must be within Tolerance of now. An empty secret verifies nothing, because anyone could sign with it.
func Verify(body []byte, header string, secrets []string, now time.Time) error {
	parts := parseSignature(header)
	stamp, signatures := parts.stamp, parts.signatures
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	switch {
	case !parts.timed && !parts.signed:
		return ErrUnsigned
	case !parts.timed:
		return ErrNoTime
	case err != nil:
		return ErrBadTime
	case !parts.signed:
		return ErrNoV1
	case len(signatures) == 0:
		return ErrBadV1
	}
	if !signedBy(body, stamp, signatures, secrets) {
		return ErrSignature
	}
	// Seconds are compared, because a time.Duration cannot hold the difference to every possible number.
	if tolerance, at := int64(Tolerance/time.Second), now.Unix(); seconds < at-tolerance || seconds > at+tolerance {
		return ErrTime
	}
	return nil
}

func signedBy(body []byte, stamp string, signatures [][]byte, secrets []string) (signed bool) {
	for _, secret := range secrets {
		if strings.TrimSpace(secret) == "" {
			continue
		}
		mac := hmac.New(sha256.New, []byte(secret))
		_, _ = mac.Write([]byte(stamp + "."))
		_, _ = mac.Write(body)
		want := mac.Sum(nil)
		for _, signature := range signatures {
			signed = hmac.Equal(want, signature) || signed
		}
	}
	return signed
}

// signatureParts are the parts of a header: signatures are the well-formed ones; timed and signed are set if there is any t and v1.
type signatureParts struct {
	stamp         string
	signatures    [][]byte
	timed, signed bool
}

// parseSignature reads the parts of the header. The first time counts; parts of other schemes (v0) are ignored.
func parseSignature(header string) (p signatureParts) {
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			p.timed = true
			if p.stamp == "" {
				p.stamp = value
			}
		case "v1":
			p.signed = true
			if signature, err := hex.DecodeString(value); err == nil && len(signature) == sha256.Size && len(p.signatures) < mostSignatures {
				p.signatures = append(p.signatures, signature)
			}
		}
	}
	return p
}
