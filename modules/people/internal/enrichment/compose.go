package enrichment

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/name"
)

// compose combines what filings and providers state about a person. For posts at the same firm, filings win.
func compose(uid string, posts []namedPost, k storedAnswers) (Profile, error) {
	p := Profile{PersonUID: uid, Education: []School{}, Experience: []Post{}}
	if !k.UpdatedAt.IsZero() {
		p.UpdatedAt = &k.UpdatedAt
	}
	filed := map[string]bool{}
	for i := range posts {
		p.Experience = append(p.Experience, filedPost(&posts[i]))
		filed[firmKey(posts[i].Firm)] = true
	}
	for known, f := range k.Fields {
		if err := p.addField(known, f, filed); err != nil {
			return Profile{}, fmt.Errorf("field %s of a profile: %w", known, err)
		}
	}
	slices.SortStableFunc(p.Education, func(a, b School) int {
		return cmp.Or(strings.Compare(cmp.Or(a.From, a.To), cmp.Or(b.From, b.To)), strings.Compare(a.School, b.School))
	})
	slices.SortStableFunc(p.Experience, func(a, b Post) int { return -strings.Compare(cmp.Or(a.To, "9999"), cmp.Or(b.To, "9999")) })
	return p, nil
}

// addField adds one field.
func (p *Profile) addField(known string, f field, filed map[string]bool) error {
	switch known {
	case provider.Email:
		return f.text(&p.Email)
	case provider.Phone:
		return f.text(&p.Phone)
	case provider.Location:
		return f.text(&p.Location)
	case provider.NetworkURL:
		return f.text(&p.NetworkURL)
	case provider.Schools:
		var list []provider.Education
		if err := json.Unmarshal(f.Value, &list); err != nil {
			return err
		}
		for _, e := range list {
			p.Education = append(p.Education, School{e, f.Origin})
		}
	case provider.Posts:
		var list []provider.Experience
		if err := json.Unmarshal(f.Value, &list); err != nil {
			return err
		}
		for _, e := range list {
			if !filed[firmKey(e.Firm)] {
				p.Experience = append(p.Experience, Post{Experience: e, Current: e.To == "" && e.From != "", Origin: f.Origin})
			}
		}
	}
	return nil
}

func (f field) text(into **Text) error {
	t := Text{Origin: f.Origin}
	if err := json.Unmarshal(f.Value, &t.Value); err != nil {
		return err
	}
	*into = &t
	return nil
}

// filedPost is a post as filings state it. If they do not state when it began, the first filing that names the person counts.
func filedPost(n *namedPost) Post {
	p := Post{
		Experience: provider.Experience{Firm: n.Firm, Title: n.Title, From: n.NamedFrom.Format(time.DateOnly)},
		CRD:        n.CRD, Current: n.Current, Origin: Origin{Source: SourceFilings, Confidence: 1, FetchedAt: n.NamedUntil.UTC()},
	}
	if n.AcquiredOn != nil && n.AcquiredOn.Before(n.NamedFrom) {
		p.From = n.AcquiredOn.Format("2006-01")
		if n.AcquiredYearOnly {
			p.From = n.AcquiredOn.Format("2006")
		}
	}
	if !p.Current {
		p.To = n.NamedUntil.Format(time.DateOnly)
	}
	p.LeftBefore, p.FirmWithdrawnOn, p.FirmNotListedSince = dayOf(n.EndedBefore), dayOf(n.WithdrawnOn), dayOf(n.NotListedSince)
	return p
}

func dayOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

// firmKey is a firm's name without its legal form, normalized so that different spellings agree.
func firmKey(firm string) string {
	return strings.Join(catalogapi.WithoutFormsAtEnd(strings.Fields(name.Fold(firm))), " ")
}
