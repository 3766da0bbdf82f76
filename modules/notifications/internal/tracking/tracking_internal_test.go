package tracking

import (
	"encoding/base64"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestMachines(t *testing.T) {
	t.Parallel()
	for agent, machine := range map[string]bool{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36":       false,
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148":         false,
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0":                                          false,
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15": false,
		"Mozilla/5.0": true, // Apple's proxy
		"Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)":                     true,
		"YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html":                                      true,
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)":                                      true,
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36": true,
		"curl/8.5.0": true, "Go-http-client/2.0": true, "python-requests/2.32": true, "": true, "x": true, "  ": true,
		"Mozilla/4.0 (compatible; ms-office; MSOffice 16)": true, "Barracuda Sentinel (EE)": true,
	} {
		require.Equal(t, machine, isMachine(agent), agent)
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		id := newID()
		require.True(t, wellFormed.MatchString(id), id)
		require.False(t, seen[id])
		seen[id] = true
	}
}

// Both alphabets, with and without padding, and a plus sign that has become a space are the same text.
func TestDecode(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
			got, err := decode(e.EncodeToString([]byte(text)))
			require.NoError(t, err)
			require.Equal(t, text, got)
		}
	})
	got, err := decode("aHR0cHM6Ly9hLmI/Pz8 Pj4 ")
	require.NoError(t, err)
	require.Equal(t, "https://a.b???>>>>", got)
	for _, bad := range []string{"a", "!!!!", "aHR0\r\ncHM6", "aHR0*", "aHR1=aHR1", "%61"} {
		_, err := decode(bad)
		require.ErrorIs(t, err, errBase64, bad)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"", "aHR0cHM6Ly9hdGxhcy5leGFtcGxl", "aHR0 /-_==", "\x00", "javascript:alert(1)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		plain, err := decode(text)
		if err == nil {
			again, err := decode(base64.RawURLEncoding.EncodeToString([]byte(plain)))
			require.NoError(t, err)
			require.Equal(t, plain, again)
		}
	})
}

// What is known is bounded in number and in age, however many links are followed.
func TestKnownIsBounded(t *testing.T) {
	t.Parallel()
	var k known
	start := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	destination := strings.Repeat("a", longest)
	for i := range 5 * generationMost / longest {
		id := strconv.Itoa(i)
		k.put(&linkRow{ID: id, Destination: destination}, start)
		require.NotNil(t, k.get(id, start))
		require.LessOrEqual(t, len(k.younger.links)+len(k.older.links), 2*(generationMost/longest+1))
	}
	for at := start; at.Before(start.Add(10 * time.Minute)); at = at.Add(7 * time.Second) {
		id := at.Format(time.TimeOnly)
		k.put(&linkRow{ID: id}, at)
		require.NotNil(t, k.get(id, at.Add(knownFor/2-time.Second)))
		require.Nil(t, k.get(id, at.Add(knownFor)))
	}
	late := &linkRow{ID: "looked for before the generation began"}
	k.put(late, start)
	require.Nil(t, k.get(late.ID, start.Add(10*time.Minute)))
}
