package mail_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/jobstest"
	"gpatlas/platform/testkit/mailtest"
	"gpatlas/templates/email"
)

const stop = "https://atlas.example/v1/unsubscribe/token"

// Each mail of the table is sent by its rule: those of category account always and without a link that stops them, others to accounts that
// want their category, and never by a sender that has not asked.
func TestMailsAreSentByTheirRule(t *testing.T) {
	t.Parallel()
	to := mail.To("ada@larkspur.example", "Ada Larkspur")
	for name, letter := range email.Examples("https://atlas.example", stop) {
		rule, err := email.RuleOf(name)
		require.NoError(t, err)
		category := rule.Category
		if category == "" { // the kind in the registry has it
			continue
		}
		sent := func(choice mail.Choice) ([]mail.Message, error) {
			capture := mailtest.NewCapture()
			err := mail.NewMailer(capture).Send(t.Context(), to, name, letter, choice)
			return capture.Messages(), err
		}
		list, err := sent(mail.Choice{Category: category, UnsubscribeURL: stop})
		require.NoError(t, err, name)
		require.Len(t, list, 1, name)
		require.Equal(t, []any{category, mail.MessageID(name), to}, []any{list[0].Category, list[0].MessageID, list[0].To})
		refused, err := sent(mail.Choice{Category: category, UnsubscribeURL: stop, Refused: true})
		require.NoError(t, err, name)
		unasked, err := sent(mail.Choice{})
		if category == email.CategoryAccount {
			require.Empty(t, list[0].UnsubscribeURL, name)
			require.Len(t, refused, 1, name)
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, stop, list[0].UnsubscribeURL, name)
		require.Empty(t, refused, name)
		require.Empty(t, unasked, name)
		require.True(t, jobstest.Never(err), name)
	}
}

// A name is left out until the address is verified, and never keeps a mail from its reader.
func TestTo(t *testing.T) {
	t.Parallel()
	require.Equal(t, mail.Address{Email: "ada@larkspur.example"}, mail.To("ada@larkspur.example", ""))
	require.Equal(t, mail.Address{Name: "Ada Larkspur", Email: "ada@larkspur.example"}, mail.To("ada@larkspur.example", " Ada\r\n\x00Larkspur "))
}

// What cannot succeed is not tried again; everything else is.
func TestFailuresOfAMailer(t *testing.T) {
	t.Parallel()
	capture := mailtest.NewCapture()
	send := func(letter email.Mail) error {
		return mail.NewMailer(capture).Send(t.Context(), mail.To("ada@larkspur.example", ""), "key", letter, mail.Choice{})
	}
	good := email.PasswordChanged{ChangedAt: time.Unix(0, 0), ResetURL: "https://atlas.example/forgot-password"}
	require.True(t, jobstest.Never(send(email.PasswordChanged{})), "its fields are empty")
	for _, fault := range []error{mailtest.Permanent(), mailtest.Temporary(), errors.New("unavailable")} {
		capture.Fail(fault)
		require.ErrorIs(t, send(good), fault)
		require.Equal(t, mail.IsPermanent(fault), jobstest.Never(send(good)))
	}
	handler := mail.Job("test.mail", func(context.Context, struct{ ID int }) error { return nil })
	require.NoError(t, handler.Run(t.Context(), []byte(`{"ID":1}`)))
	require.True(t, jobstest.Never(handler.Run(t.Context(), []byte("x"))))
	require.Positive(t, handler.Retries)
}
