package provider

import (
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	textMax = 300 // characters of a text
	listMax = 50  // entries of a list
)

var dayForm = regexp.MustCompile(`^(19|20)\d\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$`)

// clean keeps what can be shown: external data is not trusted.
func (r Result) clean() Result {
	r.First, r.Last, r.Location, r.Phone = text(r.First), text(r.Last), text(r.Location), text(r.Phone)
	r.Email, r.NetworkURL = email(r.Email), webAddress(r.NetworkURL)
	schools := make([]Education, 0, len(r.Education))
	for _, e := range r.Education {
		e = Education{text(e.School), text(e.Degree), text(e.Field), day(e.From), day(e.To)}
		if e.School != "" && !slices.Contains(schools, e) && len(schools) < listMax {
			schools = append(schools, e)
		}
	}
	posts := make([]Experience, 0, len(r.Experience))
	for _, e := range r.Experience {
		e = Experience{text(e.Firm), text(e.Title), day(e.From), day(e.To)}
		if e.Firm != "" && !slices.Contains(posts, e) && len(posts) < listMax {
			posts = append(posts, e)
		}
	}
	r.Education, r.Experience = schools, posts
	return r
}

// text is one line of at most textMax characters.
func text(s string) string {
	s = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case !unicode.IsPrint(c):
			return -1
		}
		return c
	}, strings.ToValidUTF8(s, ""))
	runes := []rune(strings.Join(strings.Fields(s), " "))
	return strings.TrimSpace(string(runes[:min(len(runes), textMax)]))
}

func day(s string) string {
	s = strings.TrimSpace(s)
	if !dayForm.MatchString(s) {
		return ""
	}
	return s
}

// email is s if it is exactly one address.
func email(s string) string {
	s = text(s)
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
		return ""
	}
	return s
}

// webAddress is s if it is a page that a browser may be sent to.
func webAddress(s string) string {
	s = text(s)
	if s != "" && !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || !strings.Contains(u.Hostname(), ".") || u.User != nil {
		return ""
	}
	return u.String()
}
