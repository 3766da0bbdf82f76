package history

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

//go:embed relatives.sql
var relativesSQL string

// relatives finds the advisers that may be tied to some: who had a website under the domain of one at any time, whom they
// name as related persons, and whose forms ever named one of them.
func (r *reader) relatives(ctx context.Context, firms []*firm) (crds []string, err error) {
	var domains, named []string // domains as the indexes have them, backwards
	for _, f := range firms {
		if f.Domain != "" && f.Stem != "" {
			domains = append(domains, backwards(f.Domain))
		}
		named = append(named, f.crd)
		crds = append(crds, f.links...)
	}
	type row struct {
		CRD string `gorm:"column:crd"`
	}
	args := database.Args{"domains": domains, "crds": named}
	found, err := collect[row](ctx, r, "look for advisers of one organization", relativesSQL, args)
	for _, f := range found {
		crds = append(crds, f.CRD)
	}
	slices.Sort(crds)
	return slices.Compact(crds), err
}

// backwards turns a domain round. It is ASCII.
func backwards(domain string) string {
	letters := []byte(strings.ToLower(domain))
	slices.Reverse(letters)
	return string(letters)
}

//go:embed links.sql
var linksSQL string

// readLinks reads whom forms name as related persons under common control, as the forms stood. An edition that was
// replaced before such were kept with it is taken for one that named the same.
func (r *reader) readLinks(ctx context.Context, byForm map[string]*firm, of map[string]*fold.Filed) error {
	type link struct {
		Accession string `gorm:"column:accession"`
		CRD       string `gorm:"column:crd"` // of whom it names
	}
	var standing, restated []string
	for accession := range byForm {
		if of[accession].Restated {
			restated = append(restated, accession)
		} else {
			standing = append(standing, accession)
		}
	}
	args := database.Args{"standing": standing, "restated": restated, "known": r.known()}
	links, err := collect[link](ctx, r, "read related persons", linksSQL, args)
	for _, l := range links {
		if f := byForm[l.Accession]; l.CRD != f.crd {
			f.links = append(f.links, l.CRD)
		}
	}
	return err
}
