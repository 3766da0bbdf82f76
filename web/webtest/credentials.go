package webtest

import (
	"context"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

// Credentials replace the modules that know API keys and sessions: credential → principal. No other is valid.
type Credentials map[string]*auth.Principal

// VerifyKey knows the API keys.
func (c Credentials) VerifyKey(_ context.Context, key string) (*auth.Principal, error) {
	return c.verify(key, auth.Key, "Invalid or revoked API key")
}

// VerifySession knows the access tokens.
func (c Credentials) VerifySession(_ context.Context, token string) (*auth.Principal, error) {
	return c.verify(token, auth.Session, "Could not validate credentials")
}

func (c Credentials) verify(credential string, kind auth.Kind, refusal string) (*auth.Principal, error) {
	if p := c[credential]; p != nil && p.Kind == kind {
		return p, nil
	}
	return nil, apperr.New(apperr.KindUnauthenticated, "%s", refusal)
}
