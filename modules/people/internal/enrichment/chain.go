package enrichment

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

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

// queryResults is what the queries about a person through one adviser gave.
type queryResults struct {
	outcomes map[string]string // of each provider that was asked, or whose answer is still recent
	fields   map[string]bool   // that are known through the adviser
}

// chain asks the providers about a person in their order, through an adviser; empty: for the refresh of a profile, which also asks those
// whose answers are recent. If filings no longer name the person, no provider is asked and the result is nil.
//
// Spec: not shown; answers through other advisers do not count, and the provider is asked once more. Enrichments are free: their counts
// and the time that they take would show how many people work for an adviser that was enriched before. That includes an enrichment
// in which the provider fails.
func (s *Service) chain(ctx context.Context, p subject, k *storedAnswers, crd string) (*queryResults, error) {
	got := &queryResults{map[string]string{}, map[string]bool{}}
	for _, from := range s.settings.Providers {
		last, before := k.Asked[through(crd, from)]
		if before && crd != "" && s.clock.Now().Before(last.At.Add(s.settings.AskAgain)) {
			got.add(from, last.Outcome, last.Fields)
			continue
		}
		if crd == "" && !k.stale(from) || crd != "" && !got.lacks(from) {
			continue
		}
		named, err := s.store.named(ctx, p.uid)
		if err != nil || !named {
			return nil, err
		}
		r, err := from.Enrich(ctx, p.query)
		if ctx.Err() != nil {
			return got, context.Cause(ctx)
		}
		outcome := found
		switch {
		case err != nil:
			outcome = string(provider.KindOf(err))
		case !p.is(r):
			outcome = refused
		}
		if outcome != found && outcome != noMatch && outcome != refused {
			s.log.WarnContext(ctx, "a provider of personal data has no response", slog.String("provider", from.Name()), slog.Any("error", err))
			got.add(from, outcome, last.Fields)
			continue // its earlier answer stays
		}
		if crd == "" || !k.heard(from, crd, s.clock.Now().Add(-s.settings.AskAgain)) {
			k.drop(from.Name())
		}
		var fields []string
		if outcome == found {
			given, err := values(r)
			if err != nil {
				return got, err
			}
			k.fill(given, Origin{Source: from.Name(), Confidence: r.Confidence, FetchedAt: s.clock.Now()})
			fields = slices.DeleteFunc(slices.Sorted(maps.Keys(given)), func(f string) bool { return got.fields[f] })
		}
		got.add(from, outcome, fields)
		k.Asked[through(crd, from)] = asked{At: s.clock.Now(), Outcome: outcome, Fields: fields}
		k.UpdatedAt = s.clock.Now()
	}
	return got, nil
}

func (g *queryResults) add(from provider.Provider, outcome string, fields []string) {
	g.outcomes[from.Name()] = outcome
	for _, f := range fields {
		g.fields[f] = true
	}
}

// lacks reports whether a provider may have a field that none before it has given.
func (g *queryResults) lacks(p provider.Provider) bool {
	return slices.ContainsFunc(p.Gives(), func(f string) bool { return !g.fields[f] })
}

// stale reports whether a provider may have a field that no other provider has filled.
func (k *storedAnswers) stale(p provider.Provider) bool {
	return slices.ContainsFunc(p.Gives(), func(f string) bool {
		has, known := k.Fields[f]
		return !known || has.Source == p.Name()
	})
}

// heard reports whether a provider has given a value since an instant through another adviser. It then stays: a query with the name
// of another firm may find less.
func (k *storedAnswers) heard(p provider.Provider, crd string, since time.Time) bool {
	for key, a := range k.Asked {
		if at, name, _ := strings.Cut(key, "/"); name == p.Name() && at != crd && a.Outcome == found && a.At.After(since) {
			return true
		}
	}
	return false
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
func (k *storedAnswers) fill(given map[string]json.RawMessage, from Origin) {
	for known, text := range given {
		if _, has := k.Fields[known]; !has {
			k.Fields[known] = field{text, from}
		}
	}
}

// values are the fields that an answer has.
func values(r provider.Result) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	for known, value := range map[string]any{
		provider.Email: r.Email, provider.Phone: r.Phone, provider.Location: r.Location, provider.NetworkURL: r.NetworkURL,
		provider.Schools: r.Education, provider.Posts: r.Experience,
	} {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if !slices.Contains([]string{`""`, "[]", "null"}, string(text)) {
			given[known] = text
		}
	}
	return given, nil
}
