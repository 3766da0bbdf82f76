package user

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gpatlas/platform/auth"
)

// The registration tiers beside <school>_student.
const (
	TierStudent   = "student"
	TierFreeTrial = "free_trial"
)

// TrialLength is how long a free trial lasts from registration on.
const TrialLength = 14 * 24 * time.Hour

// School is a business school whose graduates of this and coming years use the service free of charge.
type School struct {
	Slug   string // in paths and tier names: "bschool"
	Name   string // display name
	Domain string // domain of its graduate classes; {year} is the year of graduation: "mba{year}.bschool.edu"
}

// Tier is the registration tier of the school's students.
func (s School) Tier() string { return s.Slug + "_student" }

// Grant is what the school's students get.
func (s School) Grant() Assignment {
	return Assignment{Tier: s.Tier(), SubscriptionPlan: auth.PlanPro, APITier: auth.TierGrowth}
}

// Year is the year of graduation in an address of one of the school's classes; false for other addresses.
func (s School) Year(email string) (int, bool) {
	before, after, _ := strings.Cut(s.Domain, yearMark)
	middle, ok := strings.CutPrefix(Domain(email), before)
	if !ok {
		return 0, false
	}
	digits, ok := strings.CutSuffix(middle, after)
	if !ok || len(digits) != 4 || !each(digits, isDigit) {
		return 0, false
	}
	year, err := strconv.Atoi(digits)
	return year, err == nil
}

// Schools are the configured schools, in their order.
type Schools []School

// Find returns the school of a slug.
func (list Schools) Find(slug string) (School, bool) {
	for _, s := range list {
		if s.Slug == slug {
			return s, true
		}
	}
	return School{}, false
}

// Class returns the school and year of an address of a graduate class, whatever the year.
func (list Schools) Class(email string) (School, int, bool) {
	for _, s := range list {
		if year, ok := s.Year(email); ok {
			return s, year, true
		}
	}
	return School{}, 0, false
}

const yearMark = "{year}"

var slugPattern = regexp.MustCompile(`^[a-z][a-z0-9]{1,29}$`)

// reserved slugs would make a school's path one of the API's own.
var reserved = map[string]bool{
	"auth": true, "me": true, "admin": true, "billing": true, "gps": true, "funds": true, "search": true, "people": true,
	"lps": true, "usage": true, "track": true, "unsubscribe": true, "activity": true, "reference": true, "legal": true,
}

// ParseSchools reads schools separated by ";", each "slug|name|domain" with {year} in the domain. An empty text means no
// school.
func ParseSchools(text string) (Schools, error) {
	var list Schools
	var faults []error
	for entry := range strings.SplitSeq(text, ";") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		s, err := parseSchool(entry)
		if _, twice := list.Find(s.Slug); err == nil && twice {
			err = fmt.Errorf("%q is listed twice", s.Slug)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, s)
	}
	return list, errors.Join(faults...)
}

func parseSchool(entry string) (School, error) {
	parts := strings.Split(entry, "|")
	if len(parts) != 3 {
		return School{}, fmt.Errorf("%q is not of the form slug|name|domain", entry)
	}
	s := School{Slug: strings.TrimSpace(parts[0]), Name: strings.TrimSpace(parts[1]), Domain: strings.ToLower(strings.TrimSpace(parts[2]))}
	switch {
	case !slugPattern.MatchString(s.Slug) || reserved[s.Slug]:
		return School{}, fmt.Errorf("%q is not a slug: a short word of a-z and 0-9 that is not part of the API's own paths", s.Slug)
	case s.Name == "":
		return School{}, fmt.Errorf("%s has no name", s.Slug)
	case strings.Count(s.Domain, yearMark) != 1 || !isDomain(strings.Replace(s.Domain, yearMark, "2000", 1)):
		return School{}, fmt.Errorf("%s: %q is not a domain that contains {year} once", s.Slug, s.Domain)
	}
	return s, nil
}

// Assignment is what registration derives from an address.
type Assignment struct {
	Tier             string
	SubscriptionPlan string
	APITier          string
	School           *string
	GraduationYear   *int
	TrialEndsAt      *time.Time
}

// educational reports whether an address is a student's.
func educational(email string) bool { return strings.HasSuffix(Domain(email), ".edu") }

// Assign returns the tier for a new registration with an address.
//
// Spec: not shown what applies when a class's year is over; its graduates are then like other .edu addresses, "students". Only
// names that end in .edu count: .edu.au and similar ones are registered by other rules. The year is the calendar's in UTC.
func Assign(email string, schools Schools, now time.Time) Assignment {
	if s, year, ok := schools.Class(email); ok && year >= now.UTC().Year() {
		a := s.Grant()
		a.School, a.GraduationYear = &s.Slug, &year
		return a
	}
	if educational(email) {
		return Assignment{Tier: TierStudent, SubscriptionPlan: auth.PlanStarter, APITier: auth.TierStarter}
	}
	ends := now.UTC().Add(TrialLength)
	return Assignment{Tier: TierFreeTrial, SubscriptionPlan: auth.PlanPro, APITier: auth.TierStarter, TrialEndsAt: &ends}
}
