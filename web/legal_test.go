package web_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/httpapitest"
	"gpatlas/templates/legal"
	"gpatlas/web"
	"gpatlas/web/webtest"
)

// The legal documents are open to everybody, under every access policy, and name the terms.
func TestLegalDocuments(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Config.AccessPolicy, options.Config.PublicURL = "keyed", "https://atlas.example/"
	options.Config.Legal = web.LegalConfig{Name: "Larkspur Data LLC", Country: "United States", PrivacyEmail: "privacy@larkspur.example"}
	app := webtest.App(t, options)
	h := &httpapitest.Host{App: app.Fiber, API: app.API}
	link := map[string]string{"Link": `<https://atlas.example/v1/legal/terms>; rel="terms-of-service"`}
	h.Run(t, []httpapitest.Scenario{
		{Name: "entity", Path: "/v1/legal/entity-info", WantHeader: link, WantJSON: `{"data":{"legal_name":"Larkspur Data LLC","address":null,"country":"United States",
			"registration":null,"contacts":{"general":null,"privacy":"privacy@larkspur.example","legal":null,"security":null}}}`},
		{Name: "privacy", Path: "/v1/legal/privacy", WantHeader: map[string]string{"X-Robots-Tag": "noindex"}, WantJSON: `{"data":{"status":"placeholder",
			"message":"The privacy policy is not published yet.","contact":"privacy@larkspur.example"}}`},
		{Name: "root", Path: "/", WantHeader: link},
		{Name: "HEAD", Method: "HEAD", Path: "/v1/legal/terms", WantHeader: map[string]string{"Content-Type": "text/markdown; charset=utf-8"}},
		{Name: "parameter", Path: "/v1/legal/terms?version=2", Status: 400},
	})
	terms := h.Do(t, httpapitest.Scenario{Path: "/v1/legal/terms", WantHeader: map[string]string{"Content-Type": "text/markdown; charset=utf-8", "Link": link["Link"]}})
	version, err := legal.VersionOf([]byte(terms.Body))
	require.NoError(t, err)
	h.Do(t, httpapitest.Scenario{Path: "/v1/legal/terms/version", WantJSON: `{"version":"` + version.Version + `","effective_date":"` + version.EffectiveDate +
		`","last_updated":"` + version.LastUpdated + `"}`})
	h.Do(t, httpapitest.Scenario{Path: "/v1/legal/terms", Status: 304, Header: map[string]string{"If-None-Match": terms.Header.Get("ETag")}})
}

func TestLegalSettings(t *testing.T) {
	t.Parallel()
	options := webtest.Options(t)
	options.Config.Legal = web.LegalConfig{LegalEmail: "nobody", SecurityEmail: "Ada <ada@larkspur.example>"}
	_, err := web.New(options)
	require.ErrorContains(t, err, `LEGAL_LEGAL_EMAIL: "nobody" is not an email address`)
	require.ErrorContains(t, err, "LEGAL_SECURITY_EMAIL")
}

func TestFrontMatter(t *testing.T) {
	t.Parallel()
	_, err := legal.VersionOf(legal.Terms)
	require.NoError(t, err)
	for _, bad := range []string{"", "# Terms", "---\nversion: 1\n", "---\nversion:\n---\n", "---\nversion: 1\neffective_date: soon\nlast_updated: 2026-01-01\n---\n"} {
		_, err := legal.VersionOf([]byte(bad))
		require.Error(t, err, bad)
	}
}
