package board_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/people/internal/board"
)

func file(tb testing.TB, name string) []byte {
	tb.Helper()
	body, err := os.ReadFile("testdata/" + name)
	require.NoError(tb, err)
	return body
}

func at(text string) *time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return &t
}

// TestParse reads a listing of each vendor: times of all zones become UTC, unlisted postings are left out, and what is not
// stated stays empty. The day of an edit is no day of posting.
func TestParse(t *testing.T) {
	t.Parallel()
	lever := []board.Posting{
		{
			ID: "1f0c2b9e-5f54-4d6e-9c0a-0c4be7b6a001", Title: "Vice President, Investor Relations", Department: "Investor Relations; Capital Formation",
			Location: "London; Paris", EmploymentType: "Full-time", URL: "https://jobs.lever.co/mossgate/1f0c2b9e-5f54-4d6e-9c0a-0c4be7b6a001",
			PostedAt: at("2026-11-02T00:50:00Z"),
		},
		{ID: "1f0c2b9e-5f54-4d6e-9c0a-0c4be7b6a002", Title: "Paralegal", Department: "Legal", Location: "Boston"},
	}
	for vendor, want := range map[board.Vendor][]board.Posting{
		board.Greenhouse: {
			{
				ID: "4012345", Title: "Senior Associate, Private Credit", Department: "Private Credit; Investments", Location: "Boston, MA",
				URL: "https://boards.greenhouse.io/harborridge/jobs/4012345", PostedAt: at("2026-11-02T04:30:00Z"),
			},
			{ID: "4012399", Title: "Fund Accountant", Location: "New York / Remote", URL: "https://www.harborridge.example/careers?gh_jid=4012399"},
		},
		board.Lever: lever, board.LeverEU: lever,
		board.Ashby: {
			{
				ID: "b7a1c1de-0001-4a6b-8a55-000000000001", Title: "Analyst, Growth Equity", Department: "Investments; Growth", Location: "San Francisco; New York",
				EmploymentType: "FullTime", URL: "https://jobs.ashbyhq.com/kestrel/b7a1c1de-0001-4a6b-8a55-000000000001", PostedAt: at("2026-10-30T16:21:55.393Z"),
			},
			{ID: "b7a1c1de-0001-4a6b-8a55-000000000003", Title: "Data Engineer", Location: "Remote", EmploymentType: "Contract", PostedAt: at("2026-10-31T23:30:00Z")},
		},
	} {
		name := strings.TrimSuffix(string(vendor), "-eu") + ".json"
		got, err := board.Parse(vendor, file(t, name))
		require.NoError(t, err)
		require.Equal(t, want, got, vendor)
	}
}

// TestParseRefuses refuses whole listings that have anything unexpected where it matters, so that nothing seems closed.
func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for vendor, bodies := range map[board.Vendor][]string{
		board.Greenhouse: {
			``, `null`, `[]`, `{}`, `{"jobs":null}`, `{"jobs":{}}`, `{"jobs":7}`, `<html></html>`, `{"jobs":[{"id":1,"title":"x"}]`, `{"jobs":[{"id":true,"title":"x"}]}`,
			`{"jobs":[{"id":1,"title":["x"]}]}`, `{"jobs":[{"id":1}]}`, `{"jobs":[{"title":"x"}]}`, `{"jobs":[{"id":1,"title":" \u200b "}]}`, `{"jobs":[{"id":1.5,"title":"x"}]}`,
			`{"jobs":[{"id":1,"title":"x","location":"Boston"}]}`, `{"jobs":[{"id":1,"title":"x","departments":{"name":"x"}}]}`, `{"jobs":[],"meta":{"total":4}}`,
			`{"status":404,"error":"Job not found"}`, `{"jobs":[]} {"jobs":[]}`,
		},
		board.Lever: {
			``, `null`, `{}`, `{"ok":false,"error":"Document not found"}`, `[7]`, `[{"id":"a"}]`, `[{"text":"x"}]`, `[{"id":"a/b","text":"x"}]`, `[{"id":7,"text":"x"}]`,
			`[{"id":"a","text":"x","createdAt":"yesterday"}]`, `[{"id":"a","text":"x","categories":[]}]`, `[{"id":"` + strings.Repeat("a", 65) + `","text":"x"}]`,
		},
		board.Ashby: {
			``, `null`, `[]`, `{"jobs":null}`, `{"jobs":"none"}`, `{"jobs":[{"id":"a"}]}`, `{"jobs":[{"id":"a","title":"x","isListed":"yes"}]}`, `{"jobs":[{"id":"a","title":"x","publishedAt":7}]}`,
			`{"errors":["x"]}`, `{"jobs":[{"id":"a","title":"x","secondaryLocations":["x"]}]}`,
		},
		"monster": {`{"jobs":[]}`},
	} {
		for _, body := range bodies {
			list, err := board.Parse(vendor, []byte(body))
			require.ErrorIs(t, err, board.ErrShape, "%s: %s", vendor, body)
			require.Empty(t, list)
		}
	}
	many := `{"jobs":[` + strings.Repeat(`{"id":1,"title":"x"},`, 5000) + `{"id":1,"title":"x"}]}`
	_, err := board.Parse(board.Greenhouse, []byte(many))
	require.ErrorContains(t, err, "more than 5000")
}

// What matters less is dropped where it cannot be right, and the posting stays.
func TestParseForgives(t *testing.T) {
	t.Parallel()
	for posted, want := range map[string]*time.Time{
		`null`: nil, `0`: nil, `-5`: nil, `1793580600000`: at("2026-11-02T00:50:00Z"), `1.7935806e12`: at("2026-11-02T00:50:00Z"), `1793580600`: nil, `1e300`: nil, `99999999999999999999`: nil,
	} {
		list, err := board.Parse(board.Lever, []byte(`[{"id":"a","text":"x","createdAt":`+posted+`}]`))
		require.NoError(t, err, posted)
		require.Equal(t, want, list[0].PostedAt, posted)
	}
	for posted, want := range map[string]*time.Time{
		`""`: nil, `"2026-11-02"`: nil, `"2026-11-02T04:30:00"`: nil, `"0001-01-01T00:00:00Z"`: nil, `"9999-12-31T00:00:00Z"`: nil, `"2026-11-02T04:30:00+14:00"`: at("2026-11-01T14:30:00Z"),
	} {
		list, err := board.Parse(board.Greenhouse, []byte(`{"jobs":[{"id":1,"title":"x","first_published":`+posted+`}]}`))
		require.NoError(t, err, posted)
		require.Equal(t, want, list[0].PostedAt, posted)
	}
	for link, want := range map[string]string{
		"": "", "javascript:alert(1)": "", "//x/y": "", "https://": "", "https://a:b@x/y": "", "/jobs/1": "", "https://x/y?z=1": "https://x/y?z=1", "https://x/" + strings.Repeat("a", 1000): "",
	} {
		list, err := board.Parse(board.Ashby, fmt.Appendf(nil, `{"jobs":[{"id":"a","title":"x","jobUrl":%q},{"id":"a","title":"the same again"}]}`, link))
		require.NoError(t, err, link)
		require.Len(t, list, 1)
		require.Equal(t, want, list[0].URL, link)
	}
	list, err := board.Parse(board.Greenhouse, []byte(`{"jobs":[{"id":1,"title":"`+strings.Repeat("é", 400)+`"}]}`))
	require.NoError(t, err)
	require.Equal(t, 300, utf8.RuneCountInString(list[0].Title))
}

func fuzz(f *testing.F, v board.Vendor, name string) {
	f.Helper()
	f.Add(file(f, name))
	for _, s := range []string{`{"jobs":[]}`, `[]`, `null`, `{"jobs":[{"id":1,"title":"x"}]}`, `[{"id":"a","text":"\u0000x","createdAt":1e400}]`, "\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		list, err := board.Parse(v, body)
		if err != nil {
			require.ErrorIs(t, err, board.ErrShape)
			require.Empty(t, list)
			return
		}
		seen := map[string]bool{}
		for _, p := range list {
			require.NotEmpty(t, p.ID)
			require.NotEmpty(t, p.Title)
			require.False(t, seen[p.ID])
			seen[p.ID] = true
			for _, s := range []string{p.ID, p.Title, p.Department, p.Location, p.EmploymentType, p.URL} {
				require.True(t, utf8.ValidString(s))
				require.False(t, strings.ContainsAny(s, "\x00\n\r\u202e"), "%q", s)
			}
			require.True(t, p.URL == "" || strings.HasPrefix(p.URL, "https://") || strings.HasPrefix(p.URL, "http://"), p.URL)
			if p.PostedAt != nil {
				require.Equal(t, time.UTC, p.PostedAt.Location())
			}
		}
	})
}

func FuzzGreenhouse(f *testing.F) { fuzz(f, board.Greenhouse, "greenhouse.json") }

func FuzzLever(f *testing.F) { fuzz(f, board.Lever, "lever.json") }

func FuzzAshby(f *testing.F) { fuzz(f, board.Ashby, "ashby.json") }

func TestNew(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"harborridge", "Harbor-Ridge_2", "harbor.ridge", "7", strings.Repeat("a", 100)} {
		b, err := board.New("900001", "lever", good)
		require.NoError(t, err, good)
		require.Equal(t, "https://jobs.lever.co/"+good, b.Page())
	}
	for _, bad := range []string{"", ".", "..", "../x", "a/b", "a?b", "a#b", "a%2fb", "a b", "a@b", "a\nb", "é", "-a", "a\\b", "a:b", strings.Repeat("a", 101)} {
		_, err := board.New("900001", "lever", bad)
		require.ErrorContains(t, err, "token", bad)
	}
	for _, vendor := range []string{"", "Greenhouse", "workday", "lever_eu"} {
		_, err := board.New("900001", vendor, "x")
		require.ErrorContains(t, err, "greenhouse, lever, lever-eu, ashby")
	}
	for _, crd := range []string{"", "0", "01", "12345678901", "x"} {
		_, err := board.New(crd, "ashby", "x")
		require.ErrorContains(t, err, "crd")
	}
}
