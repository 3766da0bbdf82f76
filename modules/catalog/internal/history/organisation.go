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

// organisation is the smallest CRD number of the advisers that were one organisation with one as of a moment: the loader's rule,
// walked from one adviser to those that it is tied to, and on from these. Zero where the adviser had no version.
func (r *reader) organisation(ctx context.Context, crd string, b *bounds) (id int64, err error) {
	looked := map[string]bool{crd: true}
	var corrected fold.Overrides
	if b.through == nil {
		if corrected, err = r.overrides(ctx, nil, nil); err != nil {
			return 0, err
		}
	}
	firms := func(crds []string) ([]*firm, error) { return r.firms(ctx, crds, corrected, b) }
	newest, err := firms([]string{crd}) // members whose ties have not been looked for
	var strangers []*firm
	for err == nil && len(newest) > 0 {
		for _, f := range newest {
			if number, _ := strconv.ParseInt(f.crd, 10, 64); id == 0 || number < id { // the loader lets no other CRD in
				id = number
			}
		}
		var found []string
		if found, err = r.relatives(ctx, newest); err != nil {
			break
		}
		found = append(found, corrected.Websites()...)
		for _, f := range newest {
			found = append(found, f.merged...)
		}
		slices.Sort(found)
		found = slices.DeleteFunc(slices.Compact(found), func(crd string) bool { return looked[crd] })
		for _, crd := range found {
			looked[crd] = true
		}
		var more []*firm
		if more, err = firms(found); err != nil {
			break
		}
		var joined, others []*firm
		for _, f := range slices.Concat(strangers, more) {
			if slices.ContainsFunc(newest, f.tied) {
				joined = append(joined, f)
			} else {
				others = append(others, f)
			}
		}
		newest, strangers = joined, others
	}
	return id, err
}

// firms reads advisers as they stood; those that had no version are left out.
func (r *reader) firms(ctx context.Context, crds []string, corrected fold.Overrides, b *bounds) ([]*firm, error) {
	if len(crds) == 0 {
		return nil, nil
	}
	of, err := r.counting(ctx, crds, b)
	if err != nil {
		return nil, err
	}
	byCRD, err := r.versionsOf(ctx, "legal_name, website, silent", crds, of)
	if err != nil {
		return nil, err
	}
	var all []*firm
	byForm := map[string]*firm{}
	for crd, versions := range byCRD {
		of, naming := fold.FirmOf(versions)
		f := &firm{crd: crd, Firm: of, merged: corrected.Merged(crd, b.today), alone: corrected.Alone(crd, b.today)}
		corrected.Firm(crd, &f.Firm, b.today)
		all = append(all, f)
		if naming != nil {
			byForm[naming.Accession] = f
		}
	}
	return all, r.readLinks(ctx, byForm, of)
}
