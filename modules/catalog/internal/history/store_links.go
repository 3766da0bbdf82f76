package history

import (
	_ "embed"
	"slices"
	"strings"

	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

//go:embed relatives.sql
var relativesSQL string

// relatives adds the search for the advisers that may be tied to some: who had a website under the domain of one at any time, whom
// they name as related persons, and whose forms ever named one of them.
func (r *reader) relatives(b *batch, firms []*firm, take func(crd string)) {
	var domains, named []string // domains as the indexes have them, backwards
	for _, f := range firms {
		if f.Domain != "" && f.Stem != "" {
			domains = append(domains, backwards(f.Domain))
		}
		named = append(named, f.crd)
	}
	type row struct {
		CRD string `gorm:"column:crd"`
	}
	args := database.Args{"domains": domains, "crds": named}
	add(b, "look for advisers of one organization", relativesSQL, args, func(found *row) { take(found.CRD) })
	b.then(func() error {
		for _, f := range firms {
			for _, crd := range f.links {
				take(crd)
			}
		}
		return nil
	})
}

// backwards turns a domain round. It is ASCII.
func backwards(domain string) string {
	letters := []byte(strings.ToLower(domain))
	slices.Reverse(letters)
	return string(letters)
}

//go:embed links.sql
var linksSQL string

// links adds the reading of whom forms name as related persons under common control, as the forms stood. An edition that was
// replaced before such were kept with it is taken for one that named the same.
func (r *reader) links(b *batch, byForm map[string]*firm, of map[string]*fold.Filed) {
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
	if standing == nil && restated == nil {
		return
	}
	args := database.Args{"standing": standing, "restated": restated, "known": r.known()}
	add(b, "read related persons", linksSQL, args, func(l *link) {
		if f := byForm[l.Accession]; l.CRD != f.crd {
			f.links = append(f.links, l.CRD)
		}
	})
}
