package history

import (
	"context"
	"slices"
	"strings"
)

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
	// A host under a domain stands, backwards, between the domain and the domain with what comes next after a full stop.
	found, err := collect[row](ctx, r, "look for advisers of one organization", `
		SELECT v.crd FROM unnest($1::text[]) AS d (host) JOIN catalog.adviser_versions v
			ON reverse(substring(v.website FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C" >= d.host
			AND reverse(substring(v.website FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C" < d.host || '/' AND v.website IS NOT NULL
		UNION SELECT r.crd FROM unnest($1::text[]) AS d (host) JOIN catalog.replaced_versions r
			ON reverse(substring(r.said ->> 'website' FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C" >= d.host
			AND reverse(substring(r.said ->> 'website' FROM '^[a-z]+://([^/:?#]+)')) COLLATE "C" < d.host || '/' AND r.fund_id = ''
		UNION SELECT a.crd FROM catalog.affiliates a WHERE a.affiliate_crd = ANY ($2) AND (a.controls OR a.common_control)
		UNION SELECT r.crd FROM catalog.replaced_versions r WHERE r.fund_id = '' AND r.said -> 'affiliates' ?| $2`, domains, named)
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

// readLinks reads whom forms name as related persons under common control, as the forms stood. An edition that was
// replaced before such were kept with it is taken for one that named the same.
func (r *reader) readLinks(ctx context.Context, byForm map[string]*firm, of map[string]*filed) error {
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
	links, err := collect[link](ctx, r, "read related persons", `
		SELECT accession, affiliate_crd AS crd FROM catalog.affiliates
		WHERE accession = ANY ($1) AND affiliate_crd IS NOT NULL AND (controls OR common_control)
		UNION ALL
		SELECT r.accession, l.crd FROM catalog.replaced_versions r, LATERAL (
			SELECT jsonb_array_elements_text(r.said -> 'affiliates') AS crd WHERE r.said ? 'affiliates'
			UNION ALL SELECT a.affiliate_crd FROM catalog.affiliates a WHERE NOT r.said ? 'affiliates' AND a.accession = r.accession
				AND a.affiliate_crd IS NOT NULL AND (a.controls OR a.common_control)
		) l
		WHERE r.accession = ANY ($2) AND r.fund_id = '' AND r.processed_at <= $3 AND r.replaced_at > $3`, standing, restated, r.known())
	for _, l := range links {
		if f := byForm[l.Accession]; l.CRD != f.crd {
			f.links = append(f.links, l.CRD)
		}
	}
	return err
}
