package load

import (
	"context"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/derive"
)

// websites are the addresses of Schedule D, item 1.I. An archive states all of a filing's; the feed repeats the firm's own alone, so
// its addresses are no list.
func websites() *childTable {
	kind := childKind[catalogapi.WebsiteRow]{
		tag: tagWebsiteRow,
		at:  func(v *catalogapi.WebsiteRow) childRow { return childRow{v.FilingKey, "", v.File, v.Line} },
		raw: func(v *catalogapi.WebsiteRow) []string { return []string{v.FilingKey, v.Website} },
	}
	t := newChildTable("websites", false, kind, "url", "kind")
	t.present = func(doc *catalogapi.Document) bool {
		return doc.Websites != nil && doc.Source == catalogapi.SourceADVArchive
	}
	t.read = func(ctx context.Context, d *filingReader) error {
		own := kind // two documents are read at once, each with its own filings
		own.put = d.putWebsite
		encode := childEncoder(d, t, own)
		return drainInto(ctx, d.reader, &t.table, d.doc.Websites, func(r *rowBuffer, v *catalogapi.WebsiteRow) error {
			if _, page := derive.WebsiteOf(v.Website); page == derive.NoPage || page == derive.PersonPage {
				return d.website(v)
			}
			return encode(r, v)
		})
	}
	return t
}

// putWebsite appends an address with its kind: own is on the domain of the filing's first site, other on another one.
func (d *filingReader) putWebsite(r *rowBuffer, v *catalogapi.WebsiteRow) {
	no, _ := d.filingOf(v.FilingKey)
	d.ownWebsite(no, v)
	url, page := derive.WebsiteOf(v.Website)
	kind := "social"
	if page == derive.FirmPage {
		kind = "other"
		if first := d.filings[no].website; url == first || derive.WebsiteDomain(url) != "" && derive.WebsiteDomain(url) == derive.WebsiteDomain(first) {
			kind = "own"
		}
	}
	r.text(url)
	r.text(kind)
}

// websites reads the addresses, and sends them where they are a list.
func (d *filingReader) websites(ctx context.Context) error {
	if t, err := childTableOf("websites"); err != nil || t.present(&d.doc) {
		if err != nil {
			return err
		}
		return t.read(ctx, d)
	}
	return drain(ctx, d.doc.Websites, d.website)
}

// website keeps the first address that is the firm's own.
func (d *filingReader) website(w *catalogapi.WebsiteRow) error {
	d.count()
	no, ok := d.parent(w.FilingKey, w.File, w.Line, []string{w.FilingKey, w.Website})
	if ok {
		d.ownWebsite(no, w)
	}
	return nil
}

func (d *filingReader) ownWebsite(no int32, w *catalogapi.WebsiteRow) {
	d.filings[no].owesSites = false
	if d.filings[no].website != "" {
		return
	}
	if site, own := derive.Website(w.Website); own {
		d.setWebsite(no, site)
	}
}

func (d *filingReader) setWebsite(no int32, site string) {
	var r rowBuffer
	r.text(site)
	d.filings[no].website = strings.Clone(site)
	d.heads[no].all.add(r.fingerprint(tagWebsite, 0))
}
