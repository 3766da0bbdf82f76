package identity_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/catalogtest"
	"gpatlas/modules/people/internal/testkit/fixture"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/realdata"
)

// realPerson is a related person as the file has it.
type realPerson struct {
	First         string   `xml:"relatedPersonName>firstName"`
	Middle        string   `xml:"relatedPersonName>middleName"`
	Last          string   `xml:"relatedPersonName>lastName"`
	Relationships []string `xml:"relatedPersonRelationshipList>relationship"`
	Clarification string   `xml:"relationshipClarification"`
}

// TestRealNotices derives people from the related persons of sixteen real notices, each as that of a manager of its own. Firms
// that are filed as persons are unmarked, and still no person is derived. Names stay out of messages.
func TestRealNotices(t *testing.T) {
	t.Parallel()
	dir := realdata.File(t, "form-d/xml")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 16)
	firm := regexp.MustCompile(`(?i)\b(llc|lp|inc|ltd|corp|corporation|company)\b`)
	var notices []fixture.Notice
	want, persons, officers, directors, firms := map[string]int{}, 0, 0, 0, 0
	for i, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		var notice struct {
			Persons []realPerson `xml:"relatedPersonsList>relatedPersonInfo"`
		}
		require.NoError(t, xml.Unmarshal(content, &notice))
		crd, people := strconv.Itoa(920_001+i), map[string]bool{}
		var rows []catalogapi.RelatedPersonRow
		for _, p := range notice.Persons {
			persons++
			officers += strings.Count(strings.Join(p.Relationships, ","), "Executive Officer")
			directors += strings.Count(strings.Join(p.Relationships, ","), "Director")
			switch {
			case firm.MatchString(p.First + " " + p.Last):
				firms++
			case !slices.Equal(p.Relationships, []string{"Promoter"}):
				people[strings.ToUpper(strings.ReplaceAll(p.Last+","+p.First+","+p.Middle, ".", ""))] = true
			}
			rows = append(rows, catalogapi.RelatedPersonRow{
				FirstName: p.First, MiddleName: p.Middle, LastName: p.Last, Relationships: p.Relationships, Clarification: p.Clarification,
			})
		}
		want[crd] = len(people)
		notices = append(notices, fixture.Noticed(fmt.Sprintf("0009200001-26-%06d", i+1), "2026-06-01", crd, rows))
	}
	w := fixture.New(t, catalogtest.NewLoader)
	w.LoadNotices(t, notices...)
	for crd, n := range want {
		const statement = "SELECT count(DISTINCT person_uid) FROM people.posts WHERE crd = @crd AND standing = 'team' AND source = 'form_d'"
		found, err := database.Values[int](t.Context(), w.DB, "count people", statement, database.Args{"crd": crd})
		require.NoError(t, err)
		require.Equal(t, n, found[0], crd)
	}
	require.Equal(t, []int{67, 45, 31, 6}, []int{persons, officers, directors, firms})
}
