package unsubscribe

import (
	"context"
	"slices"
	"strings"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/platform/apperr"
)

// Service refuses mails by tokens.
type Service struct {
	tokens      *Tokens
	preferences *preference.Service
	accounts    accountsapi.Directory
}

// NewService reads tokens and changes preferences.
func NewService(tokens *Tokens, preferences *preference.Service, accounts accountsapi.Directory) *Service {
	return &Service{tokens, preferences, accounts}
}

// Look returns the category that a token would refuse, and changes nothing. category asks for another one; empty: the token's
// own.
func (s *Service) Look(ctx context.Context, token, category string) (string, error) {
	_, category, err := s.read(ctx, token, category)
	return category, err
}

// Refuse refuses the mails of a category, or preference.All of them, for the account of a token. It is idempotent.
//
// Spec: not shown whether the token of one category is valid for others; it is, because its owner chooses on the page. The
// token of a deleted account changes nothing, and is no error: nothing is sent there.
func (s *Service) Refuse(ctx context.Context, token, category string) (string, error) {
	userID, category, err := s.read(ctx, token, category)
	if err != nil {
		return "", err
	}
	_, found, err := s.accounts.FindAccount(ctx, userID)
	if err != nil || !found {
		return category, err
	}
	return category, s.preferences.Refuse(ctx, userID, category)
}

func (s *Service) read(ctx context.Context, token, category string) (int64, string, error) {
	userID, own, err := s.tokens.read(ctx, token)
	if err != nil {
		return 0, "", err
	}
	if category == "" {
		category = own
	}
	if !slices.Contains(preference.Refusable(), category) {
		return 0, "", apperr.Invalid(apperr.FieldError{Field: "category", Message: "must be one of " + strings.Join(preference.Refusable(), ", ")})
	}
	return userID, category, nil
}
