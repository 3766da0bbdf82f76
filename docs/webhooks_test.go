package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"
)

// The programs of the page that verify signatures accept what the published library signs, and refuse everything else.
func TestWebhooksPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("webhooks.md")
	require.NoError(t, err)
	const secret, other = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "whsec_HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	const id, body = "msg_mfrggzdfmztwq2lknnwg23tpob", `{"type":"aum_change","data":{"gp_name":"Ädler & Söhne ✓"}}`
	type request struct {
		Secret  string            `json:"secret"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	}
	signed := func(at time.Time, by ...string) request {
		var signatures []string
		for _, s := range by {
			w, err := standard.NewWebhook(s)
			require.NoError(t, err)
			signature, err := w.Sign(id, at, []byte(body))
			require.NoError(t, err)
			signatures = append(signatures, signature)
		}
		return request{secret, map[string]string{
			"webhook-id": id, "webhook-timestamp": strconv.FormatInt(at.Unix(), 10), "webhook-signature": strings.Join(signatures, " "),
		}, body}
	}
	now := time.Now()
	altered := func(change func(r *request)) request {
		r := signed(now, secret)
		change(&r)
		return r
	}
	cases := []struct {
		name string
		good bool
		request
	}{
		{"as it was sent", true, signed(now, secret)},
		{"while the secret is replaced", true, signed(now, other, secret)},
		{"200 seconds ago", true, signed(now.Add(-200*time.Second), secret)},
		{"another secret", false, signed(now, other)},
		{"another body", false, altered(func(r *request) { r.Body += " " })},
		{"another ID", false, altered(func(r *request) { r.Headers["webhook-id"] += "x" })},
		{"another time", false, altered(func(r *request) { r.Headers["webhook-timestamp"] = strconv.FormatInt(now.Unix()-1, 10) })},
		{"301 seconds ago", false, signed(now.Add(-301*time.Second), secret)},
		{"in 310 seconds", false, signed(now.Add(310*time.Second), secret)},
		{"no time", false, altered(func(r *request) { r.Headers["webhook-timestamp"] = "soon" })},
		{"no signature", false, altered(func(r *request) { r.Headers["webhook-signature"] = "" })},
		{"another version", false, altered(func(r *request) {
			r.Headers["webhook-signature"] = "v2" + strings.TrimPrefix(r.Headers["webhook-signature"], "v1")
		})},
	}
	var requests []request
	for _, c := range cases {
		requests = append(requests, c.request)
	}
	input, err := json.Marshal(requests)
	require.NoError(t, err)
	const python = `
import json, sys
good = []
for r in json.load(open(sys.argv[1])):
    try:
        verify(r["secret"], r["headers"], r["body"].encode())
        good.append(True)
    except ValueError:
        good.append(False)
print(json.dumps(good))
`
	const js = `
const good = JSON.parse(require("node:fs").readFileSync(process.argv[2])).map((r) => {
  try { verify(r.secret, r.headers, r.body); return true; } catch { return false; }
});
console.log(JSON.stringify(good));
`
	const golang = `package main

import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "errors"; "fmt"; "net/http"; "os"; "strconv"; "strings"; "time")

func main() {
	var list []struct{ Secret string; Headers map[string]string; Body string }
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &list); err != nil { panic(err) }
	good := make([]bool, len(list))
	for i, r := range list {
		header := http.Header{}
		for name, value := range r.Headers { header.Set(name, value) }
		good[i] = verify(r.Secret, header, []byte(r.Body)) == nil
	}
	json.NewEncoder(os.Stdout).Encode(good)
}

`
	dir := t.TempDir()
	data := filepath.Join(dir, "requests.json")
	require.NoError(t, os.WriteFile(data, input, 0o600))
	for _, p := range []struct {
		language, file, before, after string
		command                       []string
	}{
		{"python", "verify.py", "", python, []string{"python3"}}, {"js", "verify.js", "", js, []string{"node"}}, {"go", "verify.go", golang, "", []string{"go", "run"}},
	} {
		block := regexp.MustCompile("(?s)```" + p.language + "\n(.*?)```").FindSubmatch(page)
		require.NotNil(t, block, p.language)
		command, err := exec.LookPath(p.command[0])
		if err != nil {
			t.Logf("%s is not installed: its program was not run", p.command[0])
			continue
		}
		file := filepath.Join(dir, p.file)
		require.NoError(t, os.WriteFile(file, []byte(p.before+string(block[1])+p.after), 0o600))
		out, err := exec.CommandContext(t.Context(), command, append(p.command[1:], file, data)...).CombinedOutput()
		require.NoError(t, err, string(out))
		var got []bool
		require.NoError(t, json.Unmarshal(out, &got), string(out))
		for i, c := range cases {
			require.Equal(t, c.good, got[i], "%s: %s", p.language, c.name)
		}
	}
	library, err := standard.NewWebhook(secret)
	require.NoError(t, err)
	for _, c := range cases {
		header := map[string][]string{}
		for name, value := range c.Headers {
			header[map[string]string{"webhook-id": "Webhook-Id", "webhook-timestamp": "Webhook-Timestamp", "webhook-signature": "Webhook-Signature"}[name]] = []string{value}
		}
		require.Equal(t, c.good, library.Verify([]byte(c.Body), header) == nil, c.name)
	}
}
