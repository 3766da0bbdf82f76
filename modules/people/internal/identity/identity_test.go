package identity_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/testscale"
)

const postsSQL = "SELECT concat_ws(' ', crd, person_uid, full_name, standing, named_from, named_until, left_before, title) FROM people.posts ORDER BY crd, person_uid"

func posts(t *testing.T, w *fixture.World) []string {
	t.Helper()
	list, err := database.Values[string](t.Context(), w.DB, "read posts", postsSQL, database.Args{})
	require.NoError(t, err)
	return list
}

// uids returns the uid of each name at an adviser.
func uids(t *testing.T, w *fixture.World, crd string) map[string]string {
	t.Helper()
	const statement = "SELECT full_name || '=' || person_uid FROM people.posts WHERE crd = @crd"
	list, err := database.Values[string](t.Context(), w.DB, "read uids", statement, database.Args{"crd": crd})
	require.NoError(t, err)
	m := map[string]string{}
	for _, line := range list {
		full, uid, _ := strings.Cut(line, "=")
		require.True(t, identity.IsUID(uid), uid)
		require.Empty(t, m[full], "two people of one name")
		m[full] = uid
	}
	return m
}

type people = []fixture.Person

// TestStandings derives team and alumni: the newest filing with a Schedule A decides, and one without is ignored.
func TestStandings(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada := fixture.Person{Name: "LARKSPUR, ADA, M", Title: "MANAGING MEMBER", Since: "2011-03", Number: "1000018"}
	theo := fixture.Person{Name: "MOSSGATE, THEO", Title: "PARTNER", Since: "2015-01"}
	iris := fixture.Person{Name: "FERNLEY, IRIS", Title: "CHIEF COMPLIANCE OFFICER", Since: "2020-05"}
	holding := fixture.Person{Name: "LARKSPUR HOLDINGS LLC", Title: "MEMBER", Entity: true}
	family := fixture.Person{Name: "LARKSPUR FAMILY TRUST", Title: "MEMBER"}
	r := w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada, theo, holding, family}), fixture.Filed("900101", "2021-03-01", people{ada, iris}))
	require.Equal(t, 1, r.Advisers)
	require.Equal(t, int64(6), r.Rows)
	w.Load(t, fixture.Filed("900101", "2022-01-15", nil))
	require.Equal(t, []string{
		"Ada M Larkspur team 2020-03-01 2021-03-01 MANAGING MEMBER",
		"Iris Fernley team 2021-03-01 2021-03-01 CHIEF COMPLIANCE OFFICER",
		"Theo Mossgate alumni 2020-03-01 2020-03-01 2021-03-01 PARTNER",
	}, byName(posts(t, w)))
	again, err := w.People.Resolve(t.Context())
	require.NoError(t, err)
	require.Zero(t, again.Advisers, "nothing has come since")

	w.Load(t, fixture.Filed("900101", "2023-03-01", people{holding}))
	require.NotContains(t, strings.Join(posts(t, w), "\n"), " team ", "a Schedule A without people says that all have left")
	w.Load(t, fixture.Filed("900101", "2024-03-01", people{theo, {Name: "MOSSGATE, THEO", Title: "MEMBER", B: true}}))
	require.Contains(t, byName(posts(t, w)), "Theo Mossgate team 2020-03-01 2024-03-01 PARTNER; MEMBER", "who has come back is on the team")
}

// TestNoPeopleNoReading loads a roster, a feed and a list of funds: they name firms and no people, so no adviser is read again.
func TestNoPeopleNoReading(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	schedule := people{{Name: "LARKSPUR, ADA", Title: "MEMBER"}}
	require.Equal(t, 1, w.Load(t, fixture.Filed("900101", "2021-03-01", schedule)).Advisers)
	before := posts(t, w)
	for i, source := range []catalogapi.Source{catalogapi.SourceRoster, catalogapi.SourceFeed, catalogapi.SourceFundList} {
		r := w.Load(t, fixture.Filing{CRD: "900101", On: fmt.Sprintf("202%d-06-01", i+2), Source: source})
		require.Zero(t, r.Advisers, source)
		require.Equal(t, before, posts(t, w), source)
	}
	require.Equal(t, 1, w.Load(t, fixture.Filed("900101", "2026-03-01", schedule)).Advisers, "the next archive is read")
}

// byName drops what precedes the name, and sorts.
func byName(lines []string) []string {
	for i, line := range lines {
		lines[i] = strings.SplitN(line, " ", 3)[2]
	}
	slices.Sort(lines)
	return lines
}

// TestNeverByNameAlone keeps people of one name at two advisers apart, and puts together those of one number.
func TestNeverByNameAlone(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	plain := people{{Name: "LARKSPUR, ADA", Title: "PARTNER"}}
	numbered := people{{Name: "MOSSGATE, THEO", Number: "1234567"}, {Name: "FERNLEY, IRIS", Number: "7654321"}}
	w.Load(t,
		fixture.Filed("900101", "2020-03-01", slices.Concat(plain, numbered)), fixture.Filed("900102", "2020-04-01", slices.Concat(plain, numbered[:1])),
		fixture.Filed("900103", "2020-05-01", people{{Name: "QUILL, BRAM", Number: "7654321"}, {Name: "MOSSGATE, THEODORE", Number: "1234567"}}),
		fixture.Filed("900104", "2020-06-01", people{{Name: "FERNLEY, CLAY", Number: "2345678"}, {Name: "GARCIA LOPEZ, MARIA", Number: "3456789"}}),
		fixture.Filed("900105", "2020-07-01", people{{Name: "HOLT, C", Number: "2345678"}, {Name: "MARIA GARCIA LOPEZ", Number: "3456789"}}),
	)
	one, two, three := uids(t, w, "900101"), uids(t, w, "900102"), uids(t, w, "900103")
	require.NotEqual(t, one["Ada Larkspur"], two["Ada Larkspur"])
	require.Equal(t, one["Theo Mossgate"], two["Theo Mossgate"])
	require.Equal(t, one["Theo Mossgate"], three["Theodore Mossgate"])
	require.NotEqual(t, one["Iris Fernley"], three["Bram Quill"], "one number of two people")
	four, five := uids(t, w, "900104"), uids(t, w, "900105")
	require.Equal(t, four["Clay Fernley"], five["C Holt"], "the initial of a given name, as within one adviser")
	require.Equal(t, four["Maria Garcia Lopez"], five["Maria Garcia Lopez"], "the same words, other last name")
}

// TestWithinAFirm distinguishes people with similar names.
func TestWithinAFirm(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t,
		fixture.Filed("900101", "2020-03-01", people{{Name: "LARKSPUR, ADA, MARIE"}, {Name: "MOSSGATE, THEO"}, {Name: "MOSSGATE, THEO, , JR"}, {Name: "QUILL, A"}, {Name: "FERN, JO, A", Number: "1000018"}, {Name: "FERN, JO, B", Number: "1000019"}}),
		fixture.Filed("900101", "2021-03-01", people{{Name: "Ada M. Larkspur"}, {Name: "QUILL, ANNA"}, {Name: "FERN, JO"}}),
		fixture.Filed("900101", "2022-03-01", people{{Name: "LARKSPUR, ADA", Number: "1000020"}, {Name: "QUILL, ALMA"}}),
	)
	require.ElementsMatch(t, []string{
		"Ada Larkspur team 2020-03-01 2022-03-01",
		"Theo Mossgate alumni 2020-03-01 2020-03-01 2021-03-01",
		"Theo Mossgate Jr. alumni 2020-03-01 2020-03-01 2021-03-01",
		"A Quill alumni 2020-03-01 2020-03-01 2021-03-01", // Anna or Alma: ambiguous
		"Anna Quill alumni 2021-03-01 2021-03-01 2022-03-01",
		"Alma Quill team 2022-03-01 2022-03-01",
		"Jo A Fern alumni 2020-03-01 2020-03-01 2021-03-01",
		"Jo B Fern alumni 2020-03-01 2020-03-01 2021-03-01",
		"Jo Fern alumni 2021-03-01 2021-03-01 2022-03-01", // one of the two
	}, byName(posts(t, w)))
}

// TestMergeKeepsTheOlderUID merges two people when a number shows that they are one: the uid of the earlier sighting stays, and the
// other leads to it.
func TestMergeKeepsTheOlderUID(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{{Name: "LARKSPUR, ADA"}}))
	w.Load(t, fixture.Filed("900102", "2021-03-01", people{{Name: "LARKSPUR, ADA", Number: "1000018"}}))
	older, newer := uids(t, w, "900101")["Ada Larkspur"], uids(t, w, "900102")["Ada Larkspur"]
	require.NotEqual(t, older, newer)
	w.Load(t, fixture.Filed("900101", "2022-03-01", people{{Name: "LARKSPUR, ADA, M", Number: "1000018"}}))
	require.Equal(t, older, uids(t, w, "900101")["Ada M Larkspur"])
	require.Equal(t, older, uids(t, w, "900102")["Ada Larkspur"])
	current, err := w.People.Currents(t.Context(), []string{newer})
	require.NoError(t, err)
	require.Equal(t, map[string]string{newer: older}, current)

	// An earlier filing that is loaded last gives the uid that it would have given when loaded first.
	w.Load(t, fixture.Filed("900103", "2019-03-01", people{{Name: "LARKSPUR, ADA", Number: "1000018"}}))
	first := uids(t, w, "900103")["Ada Larkspur"]
	require.Equal(t, first, uids(t, w, "900101")["Ada M Larkspur"])
	require.Equal(t, newer, first, "number and name make the uid")
	current, err = w.People.Currents(t.Context(), []string{older})
	require.NoError(t, err)
	require.Equal(t, map[string]string{older: first}, current)
}

// TestFormD takes people from notices: no firms, no mere promoters, and no word on who has left.
func TestFormD(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	person := func(first, last, what string, more ...string) catalogapi.RelatedPersonRow {
		return catalogapi.RelatedPersonRow{FirstName: first, LastName: last, Relationships: append(more, what), City: "Salem", State: "MA"}
	}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{{Name: "LARKSPUR, ADA", Title: "PARTNER"}}))
	firm := person("N/A", "Mossgate GP", "Executive Officer")
	firm.Entity = true
	w.LoadNotices(t,
		fixture.Noticed("0009999999-20-000001", "2020-06-01", "900101", []catalogapi.RelatedPersonRow{person("Theo", "Mossgate", "Executive Officer"), firm}),
		fixture.Noticed("0009999999-23-000001", "2023-06-01", "900101", []catalogapi.RelatedPersonRow{
			person("Ada", "Larkspur", "Executive Officer"), person("Iris", "Fernley", "Director", "Executive Officer"), person("Bram", "Quill", "Promoter"),
		}),
	)
	require.Equal(t, []string{
		"Ada Larkspur team 2020-03-01 2020-03-01 PARTNER",
		"Iris Fernley team 2023-06-01 2023-06-01 Executive Officer, Director",
		"Theo Mossgate lapsed 2020-06-01 2020-06-01 Executive Officer",
	}, byName(posts(t, w)))
}

// TestAnyOrder loads one history in several orders, and twice: the people and their uids are the same, and later months leave
// them as they are.
func TestAnyOrder(t *testing.T) {
	t.Parallel()
	documents := history(rand.New(rand.NewPCG(7, 7)))
	var want, later []string
	for order := range uint64(testscale.Rounds(t, 3)) {
		w := fixture.New(t, catalogtest.NewLoader)
		shuffled := slices.Clone(documents[:len(documents)-1])
		if order > 0 {
			rand.New(rand.NewPCG(order, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		}
		for _, filings := range shuffled {
			w.Load(t, filings...)
		}
		if order%5 == 1 {
			for _, filings := range shuffled {
				w.Load(t, filings...)
			}
		}
		got := posts(t, w)
		if order == 0 {
			want = got
			require.Greater(t, len(want), 60)
		}
		require.Equal(t, want, got, "order %d", order)
		w.Load(t, documents[len(documents)-1]...)
		after := posts(t, w)
		if order == 0 {
			later = after
		}
		require.Equal(t, later, after, "order %d", order)
		for _, line := range want {
			uid := strings.Fields(line)[1]
			require.True(t, slices.ContainsFunc(after, func(s string) bool { return strings.Contains(s, uid) }), "a later month took a uid away")
		}
	}
}

// history is two years, in documents of four months, of eight advisers, whose people come and go, some with a number from the first or a later year on.
func history(r *rand.Rand) (documents [][]fixture.Filing) {
	type sampled struct {
		last, first, number string
		numbered            int
	}
	var all []sampled
	lasts := []string{"LARKSPUR", "MOSSGATE", "FERNLEY", "QUILL", "ASHDOWN"}
	for i := range 60 {
		all = append(all, sampled{lasts[i%5], fmt.Sprintf("%sA", string(rune('A'+i%23))+"NN"), strconv.Itoa(1_000_100 + i), r.IntN(30)})
	}
	for month := range 24 {
		if month%4 == 0 {
			documents = append(documents, nil)
		}
		var filings []fixture.Filing
		for firm := range 8 {
			if r.IntN(3) == 0 {
				continue
			}
			f := fixture.Filing{CRD: strconv.Itoa(900_201 + firm), On: fmt.Sprintf("%d-%02d-%02d", 2020+month/12, 1+month%12, 1+r.IntN(28))}
			for i, s := range all {
				if (i+month/5+firm)%9 != 0 || r.IntN(5) == 0 {
					continue
				}
				p := fixture.Person{Name: s.last + ", " + s.first, Title: "PARTNER"}
				if month >= s.numbered {
					p.Number = s.number
				}
				if r.IntN(4) == 0 {
					p.Name += ", " + string(rune('A'+i%3))
				}
				f.Schedule = append(f.Schedule, p)
			}
			filings = append(filings, f)
		}
		documents[month/4] = append(documents[month/4], filings...)
	}
	return documents
}
