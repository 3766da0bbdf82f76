package tracking

import (
	"context"
	"encoding/base64"
	"strings"
	"time"

	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Service answers for pixels and links.
type Service struct {
	store   *store
	clock   clock.Clock
	counter *Counter
	known   known
}

// NewService works on db; what it sees goes to the counter.
func NewService(db *database.DB, clk clock.Clock, counter *Counter) *Service {
	return &Service{store: &store{db}, clock: clk, counter: counter}
}

var (
	errNoLink = apperr.NotFound("This link does not exist")
	errURL    = apperr.Invalid(apperr.FieldError{Field: "url", Message: "is not the destination of this link"})
	errBase64 = apperr.Invalid(apperr.FieldError{Field: "url", Message: "must be base64"})
)

// Open counts the opening of a mail. Whether the mail exists is checked when the counts are written.
func (s *Service) Open(id, agent string) {
	if wellFormed.MatchString(id) {
		s.counter.count(hit{id, "", isMachine(agent)})
	}
}

// Click returns the destination of a link, which must be the one in the mail, and counts the click. A HEAD request
// (head) is not counted.
func (s *Service) Click(ctx context.Context, id, encoded, agent string, head bool) (string, error) {
	sent, err := decode(encoded)
	if err != nil {
		return "", err
	}
	if !wellFormed.MatchString(id) {
		return "", errNoLink
	}
	link, err := s.link(ctx, id)
	if err != nil {
		return "", err
	}
	if link == nil {
		return "", errNoLink
	}
	if sent != link.Destination {
		return "", errURL
	}
	if !head {
		s.counter.count(hit{link.MailID, link.ID, link.Hidden || isMachine(agent)})
	}
	return link.Destination, nil
}

// link returns a link; nil for none.
func (s *Service) link(ctx context.Context, id string) (*linkRow, error) {
	asked := s.clock.Now()
	if l := s.known.get(id, asked); l != nil {
		return l, nil
	}
	l, err := s.store.find(ctx, id)
	if err == nil && l != nil {
		s.known.put(l, asked)
	}
	return l, err
}

var oneAlphabet = strings.NewReplacer("-", "+", "_", "/", " ", "+")

// decode reads base64 of both alphabets, with or without padding. A plus sign in a query arrives as a space.
func decode(text string) (string, error) {
	plain, err := base64.RawStdEncoding.Strict().DecodeString(strings.TrimRight(oneAlphabet.Replace(text), "="))
	if err != nil || strings.ContainsAny(text, "\r\n") { // the decoder skips line breaks
		return "", errBase64
	}
	return string(plain), nil
}

// Kept is how long tracked mails are kept. Links in older mails do not work.
const Kept = 400 * 24 * time.Hour

// Sweep removes mails that have been kept for long enough.
func (s *Service) Sweep(ctx context.Context) (int64, error) {
	defer s.known.clear()
	return s.store.removeBefore(ctx, s.clock.Now().Add(-Kept))
}

// AccountPurged removes the counts of the mails to an account.
func (s *Service) AccountPurged(ctx context.Context, userID int64) error {
	defer s.known.clear()
	return s.store.removeOf(ctx, userID)
}
