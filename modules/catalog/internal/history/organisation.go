package history

import (
	"context"
	"slices"
	"strconv"

	"gpatlas/modules/catalog/internal/derive"
	"gpatlas/modules/catalog/internal/fold"
)

// firm is an adviser as the grouping into organisations sees it as of a moment.
type firm struct {
	derive.Firm

	crd    string
	links  []string // the advisers that its newest whole form with a Schedule D 7.A names as related persons under common control
	merged []string // the advisers that corrections make one organisation with it
	alone  bool     // a correction says that the filings tie it to nobody
}

func (f *firm) tied(other *firm) bool {
	if slices.Contains(f.merged, other.crd) {
		return true
	}
	return !f.alone && !other.alone && f.Tied(other.Firm, slices.Contains(f.links, other.crd) || slices.Contains(other.links, f.crd))
}

// organisation is the advisers that were one organisation with one as of a moment: the loader's rule, walked from one adviser to those
// that it is tied to, and on from these.
type organisation struct {
	bounds    *bounds
	corrected fold.Overrides
	id        int64 // the smallest CRD number of the members found so far
	newest    []*firm
	looked    map[string]bool // by CRD number
	found     []string        // whom the newest members may be tied to
}

// organisation adds the search for those whom an adviser may be tied to: see canonicalID.
func (a *adviserFilings) organisation(r *reader, b *batch, corrected fold.Overrides) *organisation {
	o := &organisation{bounds: &a.bounds, corrected: corrected, looked: map[string]bool{a.CRD: true}}
	var byForm map[string]*firm
	o.newest, byForm = o.firms(map[string][]fold.AdviserVersion{a.CRD: a.Versions})
	r.links(b, byForm, a.of)
	o.look(r, b)
	return o
}

// look adds the search for those whom the newest members may be tied to.
func (o *organisation) look(r *reader, b *batch) {
	o.found = o.corrected.Websites()
	for _, f := range o.newest {
		o.found = append(o.found, f.merged...)
		if number, _ := strconv.ParseInt(f.crd, 10, 64); o.id == 0 || number < o.id { // the loader lets no other CRD in
			o.id = number
		}
	}
	r.relatives(b, o.newest, func(crd string) { o.found = append(o.found, crd) })
}

// canonicalID is the smallest CRD number of the members.
func (o *organisation) canonicalID(ctx context.Context, r *reader) (int64, error) {
	var strangers []*firm
	for {
		found := slices.DeleteFunc(distinct(o.found), func(crd string) bool { return o.looked[crd] })
		for _, crd := range found {
			o.looked[crd] = true
		}
		more, err := o.read(ctx, r, found)
		if err != nil {
			return 0, err
		}
		var joined, others []*firm
		for _, f := range slices.Concat(strangers, more) {
			if slices.ContainsFunc(o.newest, f.tied) {
				joined = append(joined, f)
			} else {
				others = append(others, f)
			}
		}
		if joined == nil {
			return o.id, nil
		}
		o.newest, strangers = joined, others
		var b batch
		o.look(r, &b)
		if err := r.send(ctx, &b); err != nil {
			return 0, err
		}
	}
}

// read reads advisers as they stood; those that had no version are left out.
func (o *organisation) read(ctx context.Context, r *reader, crds []string) ([]*firm, error) {
	if len(crds) == 0 {
		return nil, nil
	}
	versions, of, err := r.versionsOf(ctx, "legal_name, website, silent", crds, o.bounds)
	if err != nil || len(versions) == 0 {
		return nil, err
	}
	var b batch
	all, byForm := o.firms(versions)
	r.links(&b, byForm, of)
	return all, r.send(ctx, &b)
}

// firms makes firms of the versions of advisers, by CRD number. Their links are those of the forms that it gives with them.
func (o *organisation) firms(versions map[string][]fold.AdviserVersion) (all []*firm, byForm map[string]*firm) {
	byForm = map[string]*firm{}
	for crd, said := range versions {
		of, naming := fold.FirmOf(said)
		f := &firm{crd: crd, Firm: of, merged: o.corrected.Merged(crd, o.bounds.today), alone: o.corrected.Alone(crd, o.bounds.today)}
		o.corrected.Firm(crd, &f.Firm, o.bounds.today)
		all = append(all, f)
		if naming != nil {
			byForm[naming.Accession] = f
		}
	}
	return all, byForm
}
