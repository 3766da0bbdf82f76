package session

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestDevice(t *testing.T) {
	t.Parallel()
	const webkit = " AppleWebKit/537.36 (KHTML, like Gecko) "
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0":                                                      "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64)" + webkit + "Chrome/131.0.0.0 Safari/537.36":                                       "Chrome on Windows",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64)" + webkit + "Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0":                         "Edge on Windows",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15":       "Safari on macOS",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" + webkit + "Chrome/131.0.0.0 Safari/537.36 OPR/116.0":                       "Opera on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari/604.1":  "Safari on iPhone",
		"Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/131.0 Mobile/15E148 Safari/604": "Chrome on iPad",
		"Mozilla/5.0 (Linux; Android 14; Pixel 8)" + webkit + "Chrome/131.0.0.0 Mobile Safari/537.36":                                 "Chrome on Android",
		"Mozilla/5.0 (Linux; Android 14; SM-S918B)" + webkit + "SamsungBrowser/26.0 Chrome/122.0 Mobile Safari/537.36":                "Samsung Internet on Android",
		"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)" + webkit + "Chrome/131.0.0.0 Safari/537.36":                                        "Chrome on ChromeOS",
		"Mozilla/5.0 (compatible; MSIE 10.0; Windows NT 6.2; Trident/6.0)":                                                            "Internet Explorer on Windows",
		"Mozilla/5.0 (X11; FreeBSD amd64)": "Browser on FreeBSD",
		"Mozilla/5.0 Firefox/132.0":        "Firefox",
		"Mozilla/5.0 (compatible)":         "Mozilla 5.0",
		"curl/8.5.0":                       "curl 8.5.0",
		"python-requests/2.32.3":           "python-requests 2.32.3",
		"gpatlas-cli":                      "gpatlas-cli",
		"Go-http-client/2.0":               "Go-http-client 2.0",
		"PostmanRuntime/7.43.0":            "PostmanRuntime 7.43.0",
		"okhttp/4.12.0 (Android 14)":       "okhttp 4.12.0",
		"":                                 "Unknown device",
		"   ":                              "Unknown device",
		"/":                                "Unknown device",
		"<script>alert(1)</script>":        "scriptalert(1) script",
		"\x1b[31mred\x00":                  "[31mred",
		"\xff\xfe":                         "Unknown device",
		strings.Repeat("x", 5000):          strings.Repeat("x", 60),
		"Mozilla/5.0 (" + strings.Repeat("x", 600) + "; Windows NT 10.0) Firefox/132.0": "Mozilla 5.0",
	} {
		require.Equal(t, want, device(agent), agent)
	}
}

// Whatever is sent, a device is a short line of printable text.
func FuzzDevice(f *testing.F) {
	for _, seed := range []string{
		"", "curl/8.5.0", "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0", "/", "a/b/c d", "\xff\xff/\x00", "<b>/\"'&",
		strings.Repeat("é", 300), "Opera/9.80 (Windows NT 6.1)", "\u202e/\u2028", strings.Repeat("/", 600), "Mozilla/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, agent string) {
		got := device(agent)
		if got == "" || !utf8.ValidString(got) || utf8.RuneCountInString(got) > tokenMax || strings.TrimSpace(got) != got {
			t.Fatalf("%q → %q", agent, got)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune("<>\"'&", r) }) {
			t.Fatalf("%q → %q", agent, got)
		}
	})
}
