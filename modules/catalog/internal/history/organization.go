package history

import (
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
	"gpatlas/platform/database"
)

// firm is an adviser as the grouping into organizations sees it as of a moment.
type firm struct {
	derive.Firm

	crd    string
	links  []string // the advisers that its newest whole form with a Schedule D 7.A names as related persons under common control
	merged []string // the advisers that corrections make one organization with it
	alone  bool     // a correction says that the filings tie it to nobody
}

func (f *firm) tied(other *firm) bool {
	if slices.Contains(f.merged, other.crd) {
		return true
	}
	return !f.alone && !other.alone && f.Tied(other.Firm, slices.Contains(f.links, other.crd) || slices.Contains(other.links, f.crd))
}

// organization is the advisers that were one organization with one as of a moment: the loader's rule, walked from one adviser to those
// that it is tied to, and on from these.
type organization struct {
	corrected fold.Overrides
	id        int64 // the smallest CRD number of the members found so far
	newest    []*firm
	strangers []*firm         // advisers that were read and are tied to no member yet
	looked    map[string]bool // by CRD number
	found     []string        // whom the newest members may be tied to
}

// organization adds the search for advisers that may be tied to this one: see canonicalIDs.
func (r *reader) organization(b *batch, a *fold.Record, corrected fold.Overrides) *organization {
	o := &organization{corrected: corrected, looked: map[string]bool{a.CRD: true}}
	o.newest = o.firms(r, b, []*fold.Record{a})
	o.look(r, b)
	return o
}

// look adds the search for those whom the newest members may be tied to.
func (o *organization) look(r *reader, b *batch) {
	o.found = o.corrected.Websites()
	for _, f := range o.newest {
		o.found = append(o.found, f.merged...)
		if number, _ := strconv.ParseInt(f.crd, 10, 64); o.id == 0 || number < o.id { // the loader lets no other CRD in
			o.id = number
		}
	}
	r.relatives(b, o.newest, func(crd string) { o.found = append(o.found, crd) })
}

// canonicalIDs finds the members of organizations, all of one step at once. The ID of each is then the smallest CRD number of its members.
func (r *reader) canonicalIDs(ctx context.Context, organizations []*organization) error {
	for len(organizations) > 0 {
		found, err := r.strangers(ctx, organizations)
		if err != nil {
			return err
		}
		var b batch
		var growing []*organization
		for i, o := range organizations {
			if o.join(found[i]) {
				o.look(r, &b)
				growing = append(growing, o)
			}
		}
		if err := r.send(ctx, &b); err != nil {
			return err
		}
		organizations = growing
	}
	return nil
}

// join takes those in that are tied to the newest members, and reports whether there are any.
func (o *organization) join(found []*firm) bool {
	var joined, others []*firm
	for _, f := range slices.Concat(o.strangers, found) {
		if slices.ContainsFunc(o.newest, f.tied) {
			joined = append(joined, f)
		} else {
			others = append(others, f)
		}
	}
	o.newest, o.strangers = joined, others
	return joined != nil
}

// strangers reads the advisers that organizations found and have not looked at, as they stood; those that had no version are left out.
func (r *reader) strangers(ctx context.Context, organizations []*organization) ([][]*firm, error) {
	var b batch
	records := make([][]*fold.Record, len(organizations))
	for i, o := range organizations {
		found := slices.DeleteFunc(distinct(o.found), func(crd string) bool { return o.looked[crd] })
		for _, crd := range found {
			o.looked[crd] = true
		}
		if len(found) > 0 {
			r.advisers(&b, found, func(a *fold.Record) { records[i] = append(records[i], a) })
		}
	}
	if err := r.send(ctx, &b); err != nil {
		return nil, err
	}
	b = batch{}
	firms := make([][]*firm, len(organizations))
	for i, o := range organizations {
		firms[i] = o.firms(r, &b, records[i])
	}
	return firms, r.send(ctx, &b)
}

//go:embed links.sql
var linksSQL string

// firms makes firms of records, and adds the reading of their links: whom their forms name as related persons under common control, as the
// forms stood. An edition that was replaced before such were kept with it is taken for one that named the same.
func (o *organization) firms(r *reader, b *batch, records []*fold.Record) (all []*firm) {
	byForm := map[string]*firm{}
	var standing, restated []string
	for _, a := range records {
		of, naming := fold.FirmOf(a.Versions)
		f := &firm{crd: a.CRD, Firm: of, merged: o.corrected.Merged(a.CRD, r.today), alone: o.corrected.Alone(a.CRD, r.today)}
		o.corrected.Firm(a.CRD, &f.Firm, r.today)
		all = append(all, f)
		if naming == nil {
			continue
		}
		byForm[naming.Accession] = f
		if i := slices.IndexFunc(a.Filings, func(of fold.Filed) bool { return of.Accession == naming.Accession }); a.Filings[i].Restated {
			restated = append(restated, naming.Accession)
		} else {
			standing = append(standing, naming.Accession)
		}
	}
	if len(byForm) == 0 {
		return all
	}
	type link struct {
		Accession string `gorm:"column:accession"`
		CRD       string `gorm:"column:crd"` // of whom it names
	}
	args := database.Args{"standing": standing, "restated": restated, "known": r.known()}
	add(b, "read related persons", linksSQL, args, func(l *link) {
		if f := byForm[l.Accession]; l.CRD != f.crd {
			f.links = append(f.links, l.CRD)
		}
	})
	return all
}

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
