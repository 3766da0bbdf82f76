package identity_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/changes"
)

// moves are the events of people, with names in place of uids. Without a name the event says nothing.
func moves(t *testing.T, w *fixture.World, names map[string]string) (lines []string) {
	t.Helper()
	p, err := changes.After(t.Context(), w.DB, 0, 1000, changes.Filter{Kinds: []string{catalogapi.ChangePersonnel}})
	require.NoError(t, err)
	for _, e := range p.Events {
		if e.Subject == "" {
			require.JSONEq(t, "{}", string(e.Said))
			lines = append(lines, e.CRD)
			continue
		}
		var said struct {
			GPName  string `json:"gp_name"`
			Reason  string
			Changed []struct {
				Field         string
				Before, After any
			}
		}
		require.NoError(t, json.Unmarshal(e.Said, &said))
		require.Equal(t, "Harbor Ridge "+e.CRD+" LLC filing", said.GPName+" "+said.Reason)
		line := []string{e.CRD, names[e.Subject], e.Day.Format(time.DateOnly)}
		for _, c := range said.Changed {
			line = append(line, fmt.Sprintf("%s:%v>%v", c.Field, c.Before, c.After))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return lines
}

// namesOf are the people of some advisers by uid.
func namesOf(t *testing.T, w *fixture.World, crds ...string) map[string]string {
	t.Helper()
	names := map[string]string{}
	for _, crd := range crds {
		for name, uid := range uids(t, w, crd) {
			names[uid] = name
		}
	}
	return names
}

// An event is written where a person comes, leaves or has another role, and nowhere else: not for people who were there when an adviser was first read,
// for another title of the same role, or for a new uid.
func TestMoves(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	ada, theo := fixture.Person{Name: "LARKSPUR, ADA", Title: "MANAGING MEMBER"}, fixture.Person{Name: "MOSSGATE, THEO", Title: "VICE PRESIDENT"}
	iris := fixture.Person{Name: "FERNLEY, IRIS", Title: "CHIEF COMPLIANCE OFFICER"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{ada}), fixture.Filed("900101", "2021-03-01", people{ada, theo}))
	require.Empty(t, moves(t, w, nil), "the first resolution")
	w.Load(t, fixture.Filed("900102", "2020-03-01", people{iris}), fixture.Filed("900102", "2021-03-01", people{iris, theo}))
	require.Empty(t, moves(t, w, nil), "an adviser that is read for the first time")
	ada.Title = "MANAGING PARTNER"
	w.Load(t, fixture.Filed("900101", "2022-03-01", people{ada, theo}))
	require.Empty(t, moves(t, w, nil), "another title of the same role")
	w.Load(t, fixture.Filed("900101", "2019-03-01", people{ada, iris}))
	require.Empty(t, moves(t, w, nil), "an old filing, which changes a uid")

	theo.Title, ada.Number = "PARTNER", "1000018"
	w.Load(t, fixture.Filed("900101", "2023-03-01", people{ada, theo, {Name: "QUILL, BRAM", Title: "ANALYST", Since: "2010-01"}}))
	w.Load(t, fixture.Filed("900102", "2023-04-01", people{iris, ada}))
	w.Load(t, fixture.Filed("900101", "2024-03-01", people{theo}), fixture.Filed("900102", "2024-03-01", people{iris, ada}))
	names := namesOf(t, w, "900101", "900102")
	want := []string{
		"900101 Theo Mossgate 2023-03-01 role:vp>partner seniority_level:mid>senior",
		"900101 Bram Quill 2023-03-01 current:false>true role:<nil>>associate seniority_level:<nil>>junior",
		"900102 Ada Larkspur 2023-04-01 current:false>true role:<nil>>partner seniority_level:<nil>>senior",
		"900102 Theo Mossgate 2023-04-01 current:true>false role:vp><nil> seniority_level:mid><nil>",
		"900101 Ada Larkspur 2024-03-01 current:true>false role:partner><nil> seniority_level:senior><nil>",
		"900101 Bram Quill 2024-03-01 current:true>false role:associate><nil> seniority_level:junior><nil>",
	}
	require.ElementsMatch(t, want, moves(t, w, names))
	_, err := w.People.Resolve(t.Context())
	require.NoError(t, err)
	w.Load(t, fixture.Filed("900101", "2024-03-01", people{theo}))
	require.Len(t, moves(t, w, names), len(want), "nothing has changed")

	var adas string
	for uid, name := range names {
		if name == "Ada Larkspur" {
			adas = uid
		}
	}
	suppressed := w.Suppress(t, adas)
	require.ElementsMatch(t, []string{want[0], want[1], "900102", "900101", want[3], want[5]}, moves(t, w, names))
	w.Load(t, fixture.Filed("900101", "2025-03-01", people{theo, ada}), fixture.Filed("900102", "2025-03-01", people{iris}))
	w.Undo(t, suppressed)
	w.Load(t, fixture.Filed("900102", "2026-03-01", people{iris}))
	require.Len(t, moves(t, w, names), len(want), "a suppressed person does not move, nor does one who is shown again")
}

// Guarantee: a person who becomes hidden because a filing makes them one with a suppressed person has not left.
func TestMovesOfHidden(t *testing.T) {
	t.Parallel()
	w := fixture.New(t, catalogtest.NewLoader)
	plain, numbered := fixture.Person{Name: "LARKSPUR, ADA"}, fixture.Person{Name: "LARKSPUR, ADA", Number: "1000018"}
	other := fixture.Person{Name: "FERNLEY, IRIS"}
	w.Load(t, fixture.Filed("900101", "2020-03-01", people{plain, other}), fixture.Filed("900102", "2020-03-01", people{other}))
	w.Suppress(t, uids(t, w, "900101")["Ada Larkspur"])
	w.Load(t, fixture.Filed("900102", "2021-03-01", people{numbered, other}))
	require.Len(t, moves(t, w, nil), 1, "nothing ties the two")
	w.Load(t, fixture.Filed("900101", "2021-03-01", people{numbered, other}), fixture.Filed("900102", "2022-03-01", people{numbered, other}))
	require.Empty(t, uids(t, w, "900102")["Ada Larkspur"])
	require.Equal(t, []string{"900102"}, moves(t, w, nil), "the event is emptied")
}
