package accounts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts"
	"gpatlas/platform/clock"
	"gpatlas/platform/config"
)

// settings as the program has them.
type settings struct {
	Accounts accounts.Config `envPrefix:"ACCOUNTS_"`
}

func TestConfig(t *testing.T) {
	t.Parallel()
	var s settings
	keys := accounts.GenerateKeys(clock.System{})
	require.NoError(t, config.Load([]string{"ACCOUNTS_JWT_KEYS=" + keys}, &s))
	require.Equal(t, accounts.Config{JWTKeys: keys, Schools: "bschool|Business School|mba{year}.bschool.edu", PublicAppURL: "http://127.0.0.1:8080"}, s.Accounts)
	require.NotEqual(t, keys, accounts.GenerateKeys(clock.System{}))
	require.NoError(t, config.Load([]string{"ACCOUNTS_JWT_KEYS=" + keys, "ACCOUNTS_SCHOOLS=larkspur|Larkspur|{year}.larkspur.edu"}, &s))
}

// A start without keys to sign with, or with weak ones, fails and reports which setting is at fault, never what it holds.
func TestConfigFaults(t *testing.T) {
	t.Parallel()
	good := "ACCOUNTS_JWT_KEYS=" + accounts.GenerateKeys(clock.System{})
	for _, c := range []struct {
		environ []string
		want    string
	}{
		{nil, "ACCOUNTS_JWT_KEYS: is not set; create a key with: echo \"k1:$(openssl rand -base64 32)\""},
		{[]string{"ACCOUNTS_JWT_KEYS= "}, "ACCOUNTS_JWT_KEYS: is not set; create a key with: echo \"k1:$(openssl rand -base64 32)\""},
		{[]string{"ACCOUNTS_JWT_KEYS=a:c2VjcmV0LXNlY3JldA=="}, "ACCOUNTS_JWT_KEYS: key 1 has a secret of 13 bytes"},
		{[]string{"ACCOUNTS_JWT_KEYS=c2VjcmV0LXNlY3JldA=="}, "ACCOUNTS_JWT_KEYS: key 1 is not of the form"},
		{[]string{good, "ACCOUNTS_SCHOOLS=x"}, "ACCOUNTS_SCHOOLS: "},
		{[]string{good, "ACCOUNTS_HASHES_AT_ONCE=-1"}, `ACCOUNTS_HASHES_AT_ONCE: "-1" is not a whole number from 0 to 1000`},
		{[]string{good, "ACCOUNTS_HASHES_AT_ONCE=many"}, "ACCOUNTS_HASHES_AT_ONCE"},
	} {
		var s settings
		err := config.Load(c.environ, &s)
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "c2VjcmV0")
	}
}
