package session_test

import (
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"github.com/maxmind/mmdbwriter"
	"github.com/maxmind/mmdbwriter/mmdbtype"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/internal/session"
)

// geoIPFile writes a GeoIP file that knows a city, a country and a place without a name.
func geoIPFile(t *testing.T, kind string) string {
	t.Helper()
	tree, err := mmdbwriter.New(mmdbwriter.Options{DatabaseType: kind, RecordSize: 24, IncludeReservedNetworks: true})
	require.NoError(t, err)
	city := mmdbtype.Map{"names": mmdbtype.Map{"en": mmdbtype.String("Boston"), "de": mmdbtype.String("Boston (de)")}}
	us := mmdbtype.Map{"iso_code": mmdbtype.String("US")}
	for prefix, record := range map[string]mmdbtype.Map{
		"203.0.113.0/24": {"city": city, "country": us}, "198.51.100.0/24": {"country": us}, "2001:db8::/32": {"city": city, "country": us},
		"192.0.2.0/24": {"city": city},
	} {
		_, network, err := net.ParseCIDR(prefix)
		require.NoError(t, err)
		require.NoError(t, tree.Insert(network, record))
	}
	path := filepath.Join(t.TempDir(), "places.mmdb")
	file, err := os.Create(path)
	require.NoError(t, err)
	_, err = tree.WriteTo(file)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return path
}

// Guarantee: a GeoIP file gives city and country, as far as it knows them; what it does not know has no place.
func TestGeoIP(t *testing.T) {
	t.Parallel()
	places, err := session.OpenGeoIP(geoIPFile(t, "GeoLite2-City"))
	require.NoError(t, err)
	for address, want := range map[string]string{
		"203.0.113.7": "Boston, US", "2001:db8::7": "Boston, US", "198.51.100.7": "US", "192.0.2.7": "", "8.8.8.8": "", "::1": "",
	} {
		place, known := places.Locate(netip.MustParseAddr(address))
		require.Equal(t, want, place, address)
		require.Equal(t, want != "", known, address)
	}
	_, known := places.Locate(netip.Addr{})
	require.False(t, known)
}

// Guarantee: a file that is none, or has no places, is refused with a sentence that names it.
func TestGeoIPFaults(t *testing.T) {
	t.Parallel()
	text := filepath.Join(t.TempDir(), "text.mmdb")
	require.NoError(t, os.WriteFile(text, []byte("x"), 0o600))
	for path, want := range map[string]string{
		filepath.Join(t.TempDir(), "none.mmdb"): "no such file", text: "is not a GeoIP file", geoIPFile(t, "GeoLite2-ASN"): "has no places",
	} {
		_, err := session.OpenGeoIP(path)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, path)
	}
}
