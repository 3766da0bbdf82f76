package outbound

import (
	"net"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

// Forms of addresses that lead inside, as a URL writes them. None passes the check, and none that names an address passes the guard.
func TestForbiddenForms(t *testing.T) {
	t.Parallel()
	c := New(Config{})
	for _, host := range []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0x7f.1", "017700000001", "0177.0.0.1", "0177.0.0.0x1", "127.0.0.1.",
		"0", "0.0.0.0", "0x0", "10.0.0.1", "10.1", "172.16.0.1", "192.168.0.1", "169.254.169.254", "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "100.100.100.200",
		"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[fe80::1]", "[fe80::1%25eth0]",
		"[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[2001:db8::1]", "[100::1]", "localhost", "LOCALHOST", "localhost.", "a.localhost", "metadata",
		"metadata.google.internal.1", "example", "example.", "-a.example.com", "exa mple.com", "exämple.com", "１２７.０.０.１", "127。0。0。1", "a..com", ".com", "example.com%00.local", "example.com\\@10.0.0.1",
	} {
		require.NotEmpty(t, c.Check("https://"+host+"/"), host)
	}
	for address, want := range map[string]string{
		"http://example.com/": "https://", "ftp://example.com/": "https://", "https://ada:lovelace@example.com/": "user name", "https://ada@example.com/": "user name", "https://example.com/#x": "fragment",
		"https://example.com:80/": "port", "https://example.com:22/": "port", "https://example.com:0/": "port", "https://example.com:65536/": "port", "https://example.com:/": "port",
		"https:example.com": "URL", "//example.com": "https://", "": "URL", "example.com": "URL", "https://": "URL", "https://example.com/a b": "ASCII", "https://example.com/\r\nHost: x": "ASCII",
	} {
		require.Contains(t, c.Check(address), want, address)
	}
	for _, address := range []string{"https://example.com", "https://hooks.example.com:8443/a?b=c%20d", "https://xn--exmple-cua.com:9000/", "HTTPS://Example.COM/"} {
		require.Empty(t, c.Check(address), address)
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	c := New(Config{})
	for _, a := range []string{
		"127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "192.0.0.8", "192.0.2.1",
		"192.88.99.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::7f00:1", "fe80::1", "fe80::1%eth0", "fec0::1", "fc00::1", "fd00:ec2::254", "ff02::1", "2001::1", "2001:db8::1", "2002:a00:1::", "3fff::1",
		"100::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::6440:1", "64:ff9b:1::1", "5f00::1", "4000::1",
	} {
		require.ErrorIs(t, c.permit(net.JoinHostPort(a, "443")), errForbidden, a)
	}
	for _, a := range []string{"8.8.8.8", "1.1.1.1", "100.63.255.255", "100.128.0.1", "198.20.0.1", "2606:4700::1111", "2a00:1450::1", "64:ff9b::808:808", "::ffff:8.8.8.8"} {
		require.NoError(t, c.permit(net.JoinHostPort(a, "443")), a)
		require.ErrorIs(t, c.permit(net.JoinHostPort(a, "25")), errForbidden, "port")
	}
	require.ErrorIs(t, c.permit("example.com:443"), errForbidden)
	own, err := net.InterfaceAddrs()
	require.NoError(t, err)
	for _, i := range own {
		a := netip.MustParsePrefix(i.String()).Addr()
		require.ErrorIs(t, c.permit(net.JoinHostPort(a.String(), "443")), errForbidden, "our own interface")
	}
	dev := New(Config{AllowHTTP: true})
	for _, address := range []string{"http://127.0.0.1:9000/", "http://localhost/", "http://[::1]:80/", "http://example.com/"} {
		require.Empty(t, dev.Check(address), address)
	}
	require.NoError(t, dev.permit("127.0.0.1:80"))
	require.ErrorIs(t, dev.permit("10.0.0.1:80"), errForbidden)
	require.ErrorIs(t, dev.permit("169.254.169.254:80"), errForbidden)
}
