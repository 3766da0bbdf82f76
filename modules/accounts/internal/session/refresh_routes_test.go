package session_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/testkit/sessiontest"
	"gpatlas/platform/testkit/httpapitest"
)

// Guarantee: an access token in place of the refresh token is answered like any token that is not good, and ends nothing.
func TestRefreshRefusesAccessTokens(t *testing.T) {
	t.Parallel()
	b := sessiontest.New(t)
	b.MakeUser(t, ada)
	tokens := b.Login(t, ada)
	host := httpapitest.New(t, session.Routes(b.Sessions)...)
	for _, wrong := range []string{tokens.AccessToken, strings.Repeat("a.", 1000), "gpar_nothing"} {
		host.Do(t, httpapitest.Scenario{
			Method: http.MethodPost, Path: "/v1/auth/refresh", Body: `{"refresh_token":"` + wrong + `"}`, Status: http.StatusUnauthorized,
			WantJSON: `{"detail":"Could not validate credentials"}`,
		})
		host.Do(t, httpapitest.Scenario{Method: http.MethodPost, Path: "/v1/auth/refresh?refresh_token=" + wrong, Status: http.StatusUnauthorized})
	}
	_, err := b.Sessions.Refresh(t.Context(), tokens.RefreshToken)
	require.NoError(t, err)
}
