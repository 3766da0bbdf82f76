package regulatory

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/platform/testkit/dbtest"
)

// yearly are filings F0, F1, … of successive years.
func yearly(n int) []filing {
	list := make([]filing, n)
	for i := range list {
		list[i] = filing{Accession: fmt.Sprintf("F%d", i), Date: time.Date(2020+i, 3, 28, 0, 0, 0, 0, time.UTC)}
	}
	return list
}

func TestMatters(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mentions []mention
		want     int
	}{
		"one number": {[]mention{{Accession: "F0", ReferenceID: "1"}, {Accession: "F1", ReferenceID: "1", CaseNumber: "a", EventDate: "2020-01-01"}}, 1},
		"one number in two families": {[]mention{
			{Accession: "F0", Family: familyCriminal, ReferenceID: "1"}, {Accession: "F0", Seq: 1, Family: familyCivil, ReferenceID: "1"},
		}, 2},
		"two numbers, one case": {[]mention{{Accession: "F0", ReferenceID: "1", CaseNumber: "a"}, {Accession: "F0", Seq: 1, ReferenceID: "2", CaseNumber: "a"}}, 2},
		"number lost":           {[]mention{{Accession: "F0", ReferenceID: "1", CaseNumber: "A-1"}, {Accession: "F1", CaseNumber: "a 1"}}, 1},
		"number found":          {[]mention{{Accession: "F0", Initiator: "SEC", EventDate: "2020-01-01"}, {Accession: "F1", ReferenceID: "1", Initiator: "sec", EventDate: "2020-01-01"}}, 1},
		"a day alone is too little to find a number": {[]mention{{Accession: "F0", ReferenceID: "1", EventDate: "2020-01-01"}, {Accession: "F1", EventDate: "2020-01-01"}}, 2},
		"another day":       {[]mention{{Accession: "F0", Initiator: "SEC", EventDate: "2020-01-01"}, {Accession: "F1", Initiator: "SEC", EventDate: "2020-01-02"}}, 2},
		"another court":     {[]mention{{Accession: "F0", Initiator: "A", CaseNumber: "1"}, {Accession: "F1", Initiator: "B", CaseNumber: "1"}}, 2},
		"told by its text":  {[]mention{{Accession: "F0", TextKey: "x"}, {Accession: "F1", TextKey: "x"}, {Accession: "F1", Seq: 1, TextKey: "y"}}, 2},
		"an unknown filing": {[]mention{{Accession: "elsewhere", ReferenceID: "1"}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, matters(yearly(2), test.mentions), test.want)
		})
	}
}

// Guarantee: every page belongs to one matter, whatever the order in which pages are read; a matter is shown as the
// newest of its pages tells it, and spans the filings from its first to its last page.
func TestMattersOfAnyPages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		filings := yearly(rapid.IntRange(1, 5).Draw(t, "filings"))
		word := rapid.SampledFrom([]string{"", "", "a", "b"})
		mentions := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) mention {
			m := mention{
				Accession: rapid.SampledFrom(filings).Draw(t, "filing").Accession, Family: rapid.SampledFrom([]string{familyCivil, familyCriminal}).Draw(t, "family"),
				ReferenceID: word.Draw(t, "reference"), CaseNumber: word.Draw(t, "case"), Initiator: word.Draw(t, "by"), EventDate: word.Draw(t, "on"),
			}
			if m.ReferenceID == "" && m.CaseNumber == "" && m.EventDate == "" {
				m.TextKey = word.Draw(t, "text")
			}
			return m
		}), 0, 25).Draw(t, "mentions")
		for i := range mentions {
			mentions[i].Seq = i
		}
		list := matters(filings, mentions)
		require.Equal(t, list, matters(filings, rapid.Permutation(mentions).Draw(t, "read")))
		total := 0
		keys := map[string]bool{}
		for _, m := range list {
			require.False(t, keys[m.key])
			keys[m.key] = true
			require.Equal(t, filings[m.last].Accession, m.newest.Accession)
			require.LessOrEqual(t, m.first, m.last)
			require.True(t, m.times >= 1 && m.times <= m.last-m.first+1)
			total += m.times
		}
		require.LessOrEqual(t, total, len(mentions))
		for _, m := range mentions {
			require.True(t, keys[m.key()] || m.ReferenceID == "", "a page with a number is its own matter's")
		}
	})
}

// Guarantee: of two answers at once the one that was asked for later stays.
func TestRemember(t *testing.T) {
	t.Parallel()
	s := NewStore(dbtest.New(t))
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	last, err := s.recall(t.Context(), "900001", "iapd")
	require.NoError(t, err)
	require.Nil(t, last)
	for _, step := range []struct {
		at   time.Duration
		want string
	}{{0, "0s"}, {2, "2ms"}, {1, "2ms"}, {3, "3ms"}} {
		at := step.at * time.Millisecond
		require.NoError(t, s.remember(t.Context(), "900001", "iapd", remembered{Edition: at.String(), CheckedAt: noon.Add(at)}))
		last, err = s.recall(t.Context(), "900001", "iapd")
		require.NoError(t, err)
		require.Equal(t, step.want, last.Edition)
	}
	require.Equal(t, noon.Add(3*time.Millisecond), last.CheckedAt)
	other, err := s.recall(t.Context(), "900001", "form_adv")
	require.NoError(t, err)
	require.Nil(t, other)
}
