package email_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/mailtest"
	"gpatlas/templates/email"
)

var update = flag.Bool("update", false, "write the golden mails")

const (
	base  = "https://atlas.example"
	token = "Zm9yIHRlc3Rz-0123456789_abcdefghijklmnopqrstuvwxyz"
)

var at = time.Date(2026, 11, 20, 15, 30, 0, 0, time.FixedZone("", 3600))

// mails has each mail once, by the name of its templates.
func mails() map[string]email.Mail {
	return email.Examples(base, base+"/v1/unsubscribe/unsub-0123456789")
}

// Every template belongs to a mail, and every mail has its three templates: what is parsed here is what there is.
func TestTemplatesAndMails(t *testing.T) {
	t.Parallel()
	want := map[string]bool{"layout.html": true, "footer.txt": true}
	for name := range mails() {
		want[name+".subject.txt"], want[name+".txt"], want[name+".html"] = true, true, true
		_, _, _, err := email.Render(name, map[string]string{})
		require.Error(t, err, "a mail without data")
		require.NotContains(t, err.Error(), "there is no mail", "%s has no templates", name)
	}
	got := map[string]bool{}
	for _, pattern := range []string{"*.txt", "*.html"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			got[file] = true
		}
	}
	require.Equal(t, want, got)
}

// The golden files are what people read. `go test ./templates/email -update` writes them anew.
func TestGolden(t *testing.T) {
	t.Parallel()
	for name, m := range mails() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := m.Content()
			require.NoError(t, err)
			for end, text := range map[string]string{".subject.txt": content.Subject + "\n", ".txt": content.Text, ".html": content.HTML} {
				path := filepath.Join("testdata", name+end)
				if *update {
					require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
				}
				golden, err := os.ReadFile(path)
				require.NoError(t, err)
				require.Equal(t, string(golden), text, "%s: look at the change, then run with -update", path)
			}
		})
	}
}

// The bounds that mail programs and people set: lines of 72, links alone on their lines and the same in both bodies, no
// images, and a message that platform/mail accepts.
func TestForm(t *testing.T) {
	t.Parallel()
	links := regexp.MustCompile(`https?://[^\s"<]+`)
	for name, m := range mails() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := m.Content()
			require.NoError(t, err)
			require.NotEmpty(t, links.FindString(content.Text))
			require.Less(t, utf8.RuneCountInString(content.Subject), 60)
			require.True(t, strings.HasPrefix(content.Text, "Hello Ada Larkspur,\n\n"))
			for line := range strings.Lines(content.Text) {
				line = strings.TrimSuffix(line, "\n")
				if link := links.FindString(line); link != "" {
					require.Equal(t, link, line, "a link shares its line")
					require.Contains(t, content.HTML, `href="`+link+`"`)
					continue
				}
				require.LessOrEqual(t, utf8.RuneCountInString(line), 72, line)
				require.Equal(t, strings.TrimSpace(line), line)
			}
			require.NotContains(t, content.Text, "\n\n\n")
			require.NotContains(t, content.HTML, "<img")
			require.NotContains(t, content.HTML, "ZgotmplZ", "html/template has refused a value")
			require.Contains(t, content.HTML, "prefers-color-scheme: dark")
			require.NoError(t, mail.Message{
				To: mail.Address{Email: "ada@harborridge.example"}, Subject: content.Subject, Text: content.Text, HTML: content.HTML,
				Category: "account",
			}.Validate())
		})
	}
}

// A threshold of 0 is reached by the first charge of a month.
func TestSpendingHasBegun(t *testing.T) {
	t.Parallel()
	m := email.SpendingAlert{"Ada Larkspur", "0%", email.USD(50_000), email.USD(100_000_000), at, at.AddDate(0, 0, 11), base + "/account", ""}
	content, err := m.Content()
	require.NoError(t, err)
	require.Equal(t, "Your spending has begun", content.Subject)
	for _, body := range []string{content.Text, content.HTML} {
		require.Contains(t, body, "first charge of")
		require.NotContains(t, body, "0% of")
	}
}

// What can be turned off says how, and nothing else about it.
func TestReceiptsCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"payment_receipt", "purchase_receipt"} {
		content, err := mails()[name].Content()
		require.NoError(t, err)
		for _, body := range []string{content.Text, content.HTML} {
			require.Contains(t, body, "email_receipts")
			require.Contains(t, body, "/v1/me/preferences")
			require.NotContains(t, body, "cannot turn")
		}
	}
}

func TestTokenInLink(t *testing.T) {
	t.Parallel()
	require.Equal(t, "https://atlas.example/verify-email?token=a%26b%3Dc", email.Link(base+"/", "verify-email", "a&b=c"))
	content, err := mails()["verify_email"].Content()
	require.NoError(t, err)
	require.Equal(t, base+"/verify-email?token="+token, mailtest.Link(t, content.Text))
	require.Equal(t, token, mailtest.Token(t, content.Text))
}

// A field that a caller forgets does not go out as a hole in a sentence.
func TestForgottenFields(t *testing.T) {
	t.Parallel()
	for name, m := range mails() {
		whole := reflect.ValueOf(m)
		for i := range whole.NumField() {
			field := whole.Type().Field(i)
			t.Run(name+" "+field.Name, func(t *testing.T) {
				t.Parallel()
				holed := reflect.New(whole.Type()).Elem()
				holed.Set(whole)
				holed.Field(i).SetZero()
				m, ok := reflect.TypeAssert[email.Mail](holed)
				require.True(t, ok)
				content, err := m.Content()
				if field.Tag.Get("mail") == "optional" {
					require.NoError(t, err)
					require.NotContains(t, content.Text, "Hello ,")
					return
				}
				require.EqualError(t, err, "mail "+name+": "+field.Name+" is empty")
			})
		}
	}
}

func TestRenderFaults(t *testing.T) {
	t.Parallel()
	_, _, _, err := email.Render("nothing_of_the_kind", nil)
	require.EqualError(t, err, `there is no mail called "nothing_of_the_kind"`)
	_, _, _, err = email.Render("layout", nil)
	require.Error(t, err)
	_, _, _, err = email.Render("verify_email", map[string]string{"FullName": "Ada", "URL": base})
	require.ErrorContains(t, err, "ExpiresIn", "a missing key")
	_, _, _, err = email.Render("verify_email", struct{ FullName, URL string }{"Ada", base})
	require.ErrorContains(t, err, "ExpiresIn", "a missing field")
	_, text, _, err := email.Render("verify_email", map[string]string{"FullName": "Ada", "URL": base, "ExpiresIn": "1 hour"})
	require.NoError(t, err)
	require.Contains(t, text, "expires in 1 hour")
}

// A mail program has no page that a link could be relative to, and a token does not belong into an error.
func TestLinksAreAbsolute(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"/verify-email?token=secret", "javascript:alert(1)//secret", "https:///verify?token=secret", "https://x.example/ ?token=secret",
		"https://x.example/?token=secret\nhttps://evil.example", `https://x.example/"secret`,
	} {
		_, err := email.VerifyEmail{"Ada", address, "24 hours"}.Content()
		require.EqualError(t, err, "mail verify_email: URL is not an absolute http or https URL", address)
	}
}

// Whoever registers with somebody else's address writes into that person's mail: neither markup, nor lines, nor links.
func TestNames(t *testing.T) {
	t.Parallel()
	content := func(t *testing.T, name string) email.Content {
		t.Helper()
		c, err := email.VerifyEmail{name, base + "/verify-email?token=x", "24 hours"}.Content()
		require.NoError(t, err)
		require.Len(t, regexp.MustCompile(`https?://`).FindAllString(c.Text, -1), 1)
		return c
	}
	for name, want := range map[string]string{
		"Zoë Müller-Šimek 山田":                              "Hello Zoë Müller-Šimek 山田,",
		"J. R. O'Hara & Sons":                              "Hello J. R. O'Hara & Sons,",
		"Ada\r\n\r\nYou have won":                          "Hello Ada You have won,",
		"Ada\u2028\u202eadA":                               "Hello Ada adA,",
		"Ada\xff":                                          "Hello Ada?,",
		"You have won: https://evil.example":               "Hello,",
		"Go to evil.example":                               "Hello,",
		"write to ada@evil":                                "Hello,",
		"<script>alert(1)</script>":                        "Hello,",
		strings.Repeat("a", 61):                            "Hello,",
		" \t ":                                             "Hello,",
		"{{.URL}} {{template \"footer\"}}":                 "Hello {{.URL}} {{template \"footer\"}},",
		"Ada\u00a0Larkspur of the very long name, Esquire": "Hello Ada Larkspur of the very long name, Esquire,",
	} {
		first, _, _ := strings.Cut(content(t, name).Text, "\n")
		require.Equal(t, want, first)
	}
	require.Contains(t, content(t, `O'Hara & "Sons"`).HTML, "<p>Hello O&#39;Hara &amp; &#34;Sons&#34;,</p>")
}

// Markup in what people, or their browsers, say is shown and not followed.
func TestHTMLIsEscaped(t *testing.T) {
	t.Parallel()
	const markup = `<script>alert("x")</script><img src=x onerror=y>`
	_, _, html, err := email.Render("verify_email", map[string]string{"FullName": "", "ExpiresIn": markup, "URL": `javascript:alert("x")`})
	require.NoError(t, err)
	require.NotContains(t, html, "<script")
	require.NotContains(t, html, "<img")
	require.Contains(t, html, "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt;")
	require.NotContains(t, html, `href="javascript:`)
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		24 * time.Hour: "24 hours", time.Hour: "1 hour", 90 * time.Minute: "1 hour", 30 * time.Minute: "30 minutes", time.Minute: "1 minute",
		time.Second: "less than a minute", 48 * time.Hour: "2 days", 14 * 24 * time.Hour: "14 days", 47 * time.Hour: "47 hours",
	} {
		require.Equal(t, want, email.Within(d))
	}
}
