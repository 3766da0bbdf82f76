package user_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/accounts/internal/user"
)

var schools = user.Schools{{Slug: "bschool", Name: "Business School", Domain: "mba{year}.bschool.edu"}}

func TestAssign(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC)
	for email, want := range map[string][3]string{
		"ada@mba2026.bschool.edu":    {"bschool_student", "pro", "growth"},
		"ada@MBA2027.BSchool.EDU":    {"bschool_student", "pro", "growth"},
		"ada@mba2099.bschool.edu":    {"bschool_student", "pro", "growth"},
		"ada@mba2025.bschool.edu":    {"student", "starter", "starter"},
		"ada@mba0000.bschool.edu":    {"student", "starter", "starter"},
		"ada@mba20270.bschool.edu":   {"student", "starter", "starter"},
		"ada@mba227.bschool.edu":     {"student", "starter", "starter"},
		"ada@mba.bschool.edu":        {"student", "starter", "starter"},
		"ada@bschool.edu":            {"student", "starter", "starter"},
		"ada@x.mba2027.bschool.edu":  {"student", "starter", "starter"},
		"ada@xmba2027.bschool.edu":   {"student", "starter", "starter"},
		"ada@mba2027xbschool.edu":    {"student", "starter", "starter"},
		"ada@mba2027.bschool.edu.co": {"free_trial", "pro", "starter"},
		"ada@mba2027.bschool.com":    {"free_trial", "pro", "starter"},
		"ada@mossgate.edu":           {"student", "starter", "starter"},
		"ada@mossgate.edu.au":        {"free_trial", "pro", "starter"},
		"ada@mossgateedu":            {"free_trial", "pro", "starter"},
		"ada.edu@larkspur.example":   {"free_trial", "pro", "starter"},
		"mba2027.bschool.edu@x.test": {"free_trial", "pro", "starter"},
	} {
		a := user.Assign(email, schools, now)
		require.Equal(t, want, [3]string{a.Tier, a.SubscriptionPlan, a.APITier}, email)
		require.Equal(t, a.Tier == "free_trial", a.TrialEndsAt != nil, email)
		require.Equal(t, a.Tier == "bschool_student", a.School != nil && a.GraduationYear != nil, email)
		if a.TrialEndsAt != nil {
			require.Equal(t, time.Date(2026, 12, 4, 9, 30, 0, 0, time.UTC), *a.TrialEndsAt)
		}
	}
	newYear := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	at2026 := "ada@mba2026.bschool.edu"
	require.Equal(t, "bschool_student", user.Assign(at2026, schools, newYear.Add(-time.Second)).Tier, "the last second of the year of graduation")
	require.Equal(t, "student", user.Assign(at2026, schools, newYear).Tier)
	require.Equal(t, "student", user.Assign(at2026, nil, now).Tier, "no school is configured")
}

// Three tiers by the domain alone, each with its plan, and a school's only with its domain.
func TestAssignByDomain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		year := rapid.IntRange(1900, 2200).Draw(t, "year")
		now := time.Date(rapid.IntRange(2000, 2100).Draw(t, "now"), time.Month(rapid.IntRange(1, 12).Draw(t, "month")), 1, 0, 0, 0, 0, time.UTC)
		local := rapid.StringMatching(`[a-zA-Z0-9._+-]{1,20}`).Draw(t, "local")
		domain := rapid.OneOf(
			rapid.Just(fmt.Sprintf("mba%04d.bschool.edu", year)), rapid.Just("bschool.edu"),
			rapid.StringMatching(`[a-z0-9-]{1,12}(\.[a-z]{2,5}){1,3}`), rapid.StringMatching(`[a-z]{1,8}\.edu`),
		).Draw(t, "domain")
		if rapid.Bool().Draw(t, "upper") {
			domain = strings.ToUpper(domain)
		}
		a := user.Assign(local+"@"+domain, schools, now)
		lower := strings.ToLower(domain)
		switch {
		case lower == fmt.Sprintf("mba%04d.bschool.edu", year) && year >= now.Year():
			if a.Tier != "bschool_student" || *a.GraduationYear != year || a.SubscriptionPlan != "pro" || a.APITier != "growth" || a.TrialEndsAt != nil {
				t.Fatalf("%s: %+v", domain, a)
			}
		case strings.HasSuffix(lower, ".edu"):
			if a.Tier != "student" || a.School != nil || a.SubscriptionPlan != "starter" || a.APITier != "starter" || a.TrialEndsAt != nil {
				t.Fatalf("%s: %+v", domain, a)
			}
		default:
			if a.Tier != "free_trial" || a.School != nil || a.SubscriptionPlan != "pro" || a.APITier != "starter" || !a.TrialEndsAt.Equal(now.AddDate(0, 0, 14)) {
				t.Fatalf("%s: %+v", domain, a)
			}
		}
	})
}

func TestParseSchools(t *testing.T) {
	t.Parallel()
	list, err := user.ParseSchools(" bschool | Business School | MBA{year}.bschool.edu ; larkspur|Larkspur School|class-{year}.larkspur.edu;")
	require.NoError(t, err)
	require.Equal(t, user.Schools{
		{Slug: "bschool", Name: "Business School", Domain: "mba{year}.bschool.edu"},
		{Slug: "larkspur", Name: "Larkspur School", Domain: "class-{year}.larkspur.edu"},
	}, list)
	s, year, ok := list.Class("ada@class-2031.larkspur.edu")
	require.True(t, ok)
	require.Equal(t, "larkspur_student", s.Tier())
	require.Equal(t, 2031, year)
	list, err = user.ParseSchools("")
	require.NoError(t, err)
	require.Empty(t, list)
	for text, want := range map[string]string{
		"bschool":                           "slug|name|domain",
		"B School|x|mba{year}.x.edu":        "is not a slug",
		"auth|x|mba{year}.x.edu":            "is not a slug",
		"a1||mba{year}.x.edu":               "no name",
		"a1|x|mba.x.edu":                    "{year}",
		"a1|x|{year}.{year}.edu":            "{year}",
		"a1|x|mba{year}":                    "is not a domain",
		"a1|x|m{year}.edu;a1|y|n{year}.edu": "twice",
	} {
		_, err := user.ParseSchools(text)
		require.ErrorContains(t, err, want, text)
	}
}

func TestEmailFault(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 64)
	for _, good := range []string{
		"ada@larkspur.example", "ada.b+c@x.y.co", "A_D-A@LARKSPUR.EXAMPLE", "o'hara@larkspur.example", "a@xn--bcher-kva.example",
		long + "@larkspur.example", "1@2.example",
	} {
		require.Empty(t, user.EmailFault(good), good)
	}
	for _, bad := range []string{
		"", "ada", "@", "ada@", "@larkspur.example", "ada@larkspur", "ada@@larkspur.example", "ada@b@larkspur.example", "ada larkspur@x.example",
		".ada@larkspur.example", "ada.@larkspur.example", "a..b@larkspur.example", `"ada"@larkspur.example`, "ada@[192.0.2.1]", "ada@192.0.2.1",
		"ada@-x.example", "ada@x-.example", "ada@x..example", "ada@x.example.", "ada@x_y.example", "Ada <ada@larkspur.example>", "ada@larkspur.example ",
		"ada\n@larkspur.example", "ada@larkspur.example\r\nBcc: x@y.example", "ada\x00@x.example", "adä@larkspur.example", "ada@bücher.example",
		"ada@ｘ.example", long + "a@larkspur.example", "a@" + strings.Repeat("b", 64) + ".example", "ada@" + strings.Repeat("b.", 130) + "example",
	} {
		require.NotEmpty(t, user.EmailFault(bad), bad)
	}
}
