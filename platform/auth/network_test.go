package auth_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/auth"
)

func TestNetwork(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3::4": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64",
	} {
		require.Equal(t, want, auth.Network(netip.MustParseAddr(address)))
	}
	require.Equal(t, "unknown", auth.Network(netip.Addr{}))
}
