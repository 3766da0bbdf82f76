package enrichment

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"slices"
	"strings"

	"gpatlas/modules/people/internal/enrichment/provider"
	"gpatlas/modules/people/internal/name"
)

// The outcomes of asking a provider about a person. Failures of providers have the words of provider.Kind.
const (
	found   = "found"
	noMatch = string(provider.NoMatch)
	refused = "refused" // the answer was about another person
)

// subject is a person that providers are asked about.
type subject struct {
	uid   string
	first string // normal forms, as in filings
	last  string
	query provider.Query
}

// subjectOf makes a subject of one of a person's posts: the one at an adviser if an adviser is given, else the newest.
func subjectOf(uid string, posts []namedPost, crd string) subject {
	p := &posts[max(slices.IndexFunc(posts, func(p namedPost) bool { return p.CRD == crd }), 0)]
	first, last := spelled(p)
	managers := make([]provider.Manager, len(posts))
	for i := range posts {
		managers[i] = provider.Manager{CRD: posts[i].CRD, Firm: posts[i].Firm}
	}
	return subject{
		uid: uid, first: p.FirstKey, last: p.LastKey,
		query: provider.Query{First: first, Last: last, Firm: p.Firm, Domain: domain(p.Website), CRD: p.CRD, Title: p.Title, UID: uid, Managers: managers},
	}
}

// spelled splits a full name before its last name, which may have several words.
func spelled(p *namedPost) (first, last string) {
	words := strings.Fields(p.FullName)
	for i := len(words) - 1; i > 0; i-- {
		if n := name.Of("", "", strings.Join(words[i:], " ")); n.Key().Last == p.LastKey {
			return words[0], n.Last
		}
	}
	n := name.Parse(p.FullName)
	return n.First, n.Last
}

// shared are hosts on which firms have pages without a domain of their own.
var shared = []string{"linkedin.com", "facebook.com", "twitter.com", "x.com", "instagram.com", "youtube.com", "medium.com", "google.com"}

// domain is the domain of a website; empty if the domain is not the firm's own.
func domain(website string) string {
	website = strings.ToLower(strings.TrimSpace(website))
	if website != "" && !strings.Contains(website, "://") {
		website = "https://" + website
	}
	u, err := url.Parse(website)
	if err != nil {
		return ""
	}
	host := strings.TrimPrefix(u.Hostname(), "www.")
	for _, s := range shared {
		if host == s || strings.HasSuffix(host, "."+s) {
			return ""
		}
	}
	if !strings.Contains(host, ".") {
		return ""
	}
	return host
}

// is reports whether a provider's name for a person may be this person: a different last name never is.
func (p *subject) is(r provider.Result) bool {
	got := name.Of(r.First, "", r.Last).Key()
	return got.Last != "" && got.Last == p.last && (p.first == "" || name.SameGiven(got.First, p.first))
}

// chain asks the providers about a person in their order, and returns the outcome of each provider that was asked, or whose answer is
// still recent. If refresh is set, it also asks those. If filings no longer name the person, no provider is asked and the outcomes
// are nil.
//
// Spec: not shown; recent answers count as others, because enrichments are free: the number of people whom a provider is not asked
// about again would show how many of them work for a manager that was enriched before.
func (s *Service) chain(ctx context.Context, p subject, k *storedAnswers, refresh bool) (outcomes map[string]string, err error) {
	outcomes = map[string]string{}
	for _, from := range s.settings.Providers {
		last, before := k.Asked[from.Name()]
		if before && !refresh && s.clock.Now().Before(last.At.Add(s.settings.AskAgain)) {
			outcomes[from.Name()] = last.Outcome
			continue
		}
		if !k.lacks(from, refresh) {
			continue
		}
		named, err := s.store.named(ctx, p.uid)
		if err != nil || !named {
			return nil, err
		}
		r, err := from.Enrich(ctx, p.query)
		if ctx.Err() != nil {
			return outcomes, context.Cause(ctx)
		}
		outcome := found
		switch {
		case err != nil:
			outcome = string(provider.KindOf(err))
		case !p.is(r):
			outcome = refused
		}
		outcomes[from.Name()] = outcome
		if outcome != found && outcome != noMatch && outcome != refused {
			s.log.WarnContext(ctx, "a provider of personal data has no response", slog.String("provider", from.Name()), slog.Any("error", err))
			continue // its earlier answer stays
		}
		k.drop(from.Name())
		if outcome == found {
			if err := k.fill(r, Origin{Source: from.Name(), Confidence: r.Confidence, FetchedAt: s.clock.Now()}); err != nil {
				return outcomes, err
			}
		}
		k.Asked[from.Name()] = asked{At: s.clock.Now(), Outcome: outcome}
		k.UpdatedAt = s.clock.Now()
	}
	return outcomes, nil
}

// lacks reports whether a provider may have a field that no other provider has filled; with refresh, also one that it has
// filled itself.
func (k *storedAnswers) lacks(p provider.Provider, refresh bool) bool {
	return slices.ContainsFunc(p.Gives(), func(f string) bool {
		has, known := k.Fields[f]
		return !known || refresh && has.Source == p.Name()
	})
}

// drop removes a provider's earlier answer.
func (k *storedAnswers) drop(source string) {
	for f, has := range k.Fields {
		if has.Source == source {
			delete(k.Fields, f)
		}
	}
}

// fill sets missing fields from a new answer.
func (k *storedAnswers) fill(r provider.Result, from Origin) error {
	for known, value := range map[string]any{
		provider.Email: r.Email, provider.Phone: r.Phone, provider.Location: r.Location, provider.NetworkURL: r.NetworkURL,
		provider.Schools: r.Education, provider.Posts: r.Experience,
	} {
		if _, has := k.Fields[known]; has || value == "" {
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if string(text) != "[]" && string(text) != "null" {
			k.Fields[known] = field{text, from}
		}
	}
	return nil
}
