package stripe_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/platform/testkit/clocktest"
)

var signedAt = clocktest.Instant("2026-11-22T09:00:00Z")

// v1 is a signature by the description of Stripe, not by our code.
func v1(stamp, body, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = fmt.Fprintf(mac, "%s.%s", stamp, body)
	return "v1=" + hex.EncodeToString(mac.Sum(nil))
}

func TestVerify(t *testing.T) {
	t.Parallel()
	const body, stamp = `{"id":"evt_1"}`, "1795338000"
	secrets := []string{"whsec_new", "whsec_old"}
	good := v1(stamp, body, "whsec_new")
	for name, test := range map[string]struct {
		header string
		want   error
	}{
		"the new secret":               {"t=" + stamp + "," + good, nil},
		"the old secret":               {"t=" + stamp + "," + v1(stamp, body, "whsec_old"), nil},
		"a wrong one before the right": {"t=" + stamp + "," + v1(stamp, body, "x") + "," + good, nil},
		"another scheme beside":        {"t=" + stamp + ",v0=00," + good, nil},
		"blanks":                       {"t=" + stamp + ", " + good, nil},
		"the other order":              {good + ",t=" + stamp, nil},
		"upper case":                   {"t=" + stamp + ",v1=" + strings.ToUpper(good[3:]), nil},
		"another secret":               {"t=" + stamp + "," + v1(stamp, body, "whsec_other"), stripe.ErrSignature},
		"the empty secret":             {"t=" + stamp + "," + v1(stamp, body, ""), stripe.ErrSignature},
		"another body":                 {"t=" + stamp + "," + v1(stamp, body+" ", "whsec_new"), stripe.ErrSignature},
		"another time":                 {"t=1795338001," + good, stripe.ErrSignature},
		"the second of two times":      {"t=1795338001,t=" + stamp + "," + good, stripe.ErrSignature},
		"a longer signature":           {"t=" + stamp + "," + good + "00", stripe.ErrBadV1},
		"half of it":                   {"t=" + stamp + "," + good[:35], stripe.ErrBadV1},
		"another scheme":               {"t=" + stamp + ",v0=" + good[3:], stripe.ErrNoV1},
		"no time":                      {good, stripe.ErrNoTime},
		"no number":                    {"t=now," + good, stripe.ErrBadTime},
		"too large a number":           {"t=99999999999999999999," + good, stripe.ErrBadTime},
		"no signature":                 {"t=" + stamp, stripe.ErrNoV1},
		"nothing":                      {"", stripe.ErrUnsigned},
		"commas":                       {strings.Repeat(",", 1000), stripe.ErrUnsigned},
	} {
		require.Equal(t, test.want, stripe.Verify([]byte(body), test.header, secrets, signedAt), name)
	}
}

// An empty secret verifies nothing, not even what was signed with it.
func TestVerifyEmptySecret(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"", " "} {
		header := "t=1795338000," + v1("1795338000", "{}", secret)
		require.Equal(t, stripe.ErrSignature, stripe.Verify([]byte("{}"), header, []string{secret}, signedAt))
	}
	require.Equal(t, stripe.ErrSignature, stripe.Verify([]byte("{}"), "t=1795338000,"+v1("1795338000", "{}", ""), nil, signedAt))
}

func TestVerifyTime(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64]error{
		0: nil, 300: nil, -300: nil, 301: stripe.ErrTime, -301: stripe.ErrTime, 3600: stripe.ErrTime,
		-1 << 62: stripe.ErrTime, 1 << 62: stripe.ErrTime,
	} {
		stamp := strconv.FormatInt(signedAt.Unix()+seconds, 10)
		header := "t=" + stamp + "," + v1(stamp, "{}", "whsec_new")
		require.Equal(t, want, stripe.Verify([]byte("{}"), header, []string{"whsec_new"}, signedAt.Add(999*time.Millisecond)), seconds)
	}
}

func FuzzVerify(f *testing.F) {
	f.Add("t=1795338000,v1=00")
	f.Add(",,t==,v1=")
	f.Fuzz(func(t *testing.T, header string) {
		require.Error(t, stripe.Verify([]byte("{}"), header, []string{"whsec_new"}, signedAt))
	})
}
