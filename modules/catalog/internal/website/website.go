// Package website lists the websites of a manager (Schedule D, item 1.I).
package website

import (
	"context"
	"net/url"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/gp"
	"gpatlas/modules/catalog/internal/panel"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Website is one address.
type Website struct {
	URL  string `json:"url" doc:"Address with its scheme; https is assumed where none was filed." example:"https://www.harborridge.example"`
	Kind string `json:"kind" enum:"own,social,other" doc:"own: the firm's first site and pages on its domain. social: a page on a social network or in a directory. other: another site." example:"own"`
}

// Service lists websites.
type Service struct {
	gps   *gp.Service
	store *panel.Store
}

// NewService reads the firm's names from gps and its lists from store.
func NewService(gps *gp.Service, store *panel.Store) *Service {
	return &Service{gps: gps, store: store}
}

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

type body = httpapi.DataMeta[[]Website, panel.WithheldMeta]

// Routes is the operation on websites.
func Routes(s *Service) []httpapi.Route {
	return panel.Route("/v1/gps/{crd}/websites", "list-gp-websites", "List the websites of a fund manager", text, s.list)
}

const text = `Addresses of Schedule D, item 1.I, in the order of the filing: the firm's own sites, its pages on social networks, and others. Addresses that by their form lead to a person's page are not kept. Those that have the name of a person in the manager's filings are left out and counted in ` + "`withheld`" + `, and so are pages on social networks whose address has words other than those of the firm's name.

` + panel.Text + ` Filings that were loaded before this list was kept state it after they are loaded again.`

func (s *Service) list(ctx context.Context, in *panel.Input) (*httpapi.Reply[body], error) {
	at, err := s.store.Moment(in)
	if err != nil {
		return nil, err
	}
	a, _, err := s.gps.Get(ctx, &gp.DetailInput{GPPath: in.GPPath, Input: in.Input})
	if err != nil {
		return nil, err
	}
	list, of, err := panel.List[Website](ctx, s.store, catalogapi.TableWebsites, in.CRD, at)
	if err != nil {
		return nil, err
	}
	named := names{Firm: []string{a.LegalName, catalogapi.TextOf(a.BusinessName)}, Website: catalogapi.TextOf(a.Website)}
	if len(list) > 0 {
		if named.Persons, err = s.store.Persons(ctx, in.CRD); err != nil {
			return nil, err
		}
	}
	rows := make([]Website, 0, len(list))
	for _, w := range list {
		if named.allow(w) {
			rows = append(rows, w)
		}
	}
	meta := panel.WithheldMeta{Meta: panel.Meta{Meta: in.Meta(len(rows)), CRD: in.CRD, Basis: of.Basis()}, Withheld: len(list) - len(rows)}
	return &httpapi.Reply[body]{Body: body{Data: panel.Cut(rows, in.Paging), Meta: meta}, Page: in.Links(len(rows))}, nil
}

// names are who a firm's addresses may name.
type names struct {
	Firm    []string // the firm
	Website string   // as its detail shows it
	Persons []string // in its filings
}

// allow reports whether an address names no person. What the detail of the manager shows is allowed.
func (n names) allow(w Website) bool {
	if w.URL == n.Website {
		return true
	}
	u, err := url.Parse(w.URL)
	if err != nil {
		return false
	}
	company := derive.WebsiteDomain(w.URL) == "" && w.Kind == "social"
	if company && !derive.NamesOnly(u, n.Firm...) {
		return false
	}
	query, err := url.QueryUnescape(u.RawQuery)
	if err != nil {
		return false
	}
	named := u.Hostname() + u.Path + " " + query
	if domain := derive.WebsiteDomain(w.URL); domain != "" && domain == derive.WebsiteDomain(n.Website) {
		named = strings.TrimSuffix(u.Hostname(), domain) + u.Path + " " + query // the domain is shown already
	}
	for _, person := range n.Persons {
		if derive.NamesPerson(named, person) {
			return false
		}
	}
	return true
}
