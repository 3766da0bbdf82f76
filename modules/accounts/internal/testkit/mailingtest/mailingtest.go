// Package mailingtest provides a mailer for tests.
package mailingtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/platform/testkit/mailtest"
)

// Base is the public address in the links of mails.
const Base = "https://atlas.example"

// Mailer sends into a capture.
func Mailer(tb testing.TB) (*mailing.Mailer, *mailtest.Capture) {
	tb.Helper()
	pages, err := mailing.ParsePages(Base + "/")
	require.NoError(tb, err)
	capture := mailtest.NewCapture()
	return mailing.NewMailer(capture, pages), capture
}
