package pages

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"maps"

	"gpatlas/platform/console"
)

// atom is a feed by RFC 4287.
type atom struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID      string   `xml:"id"`
	Title   string   `xml:"title"`
	Updated string   `xml:"updated"`
	Link    atomLink `xml:"link"`
	Summary string   `xml:"summary"`
}

// feed is the newest filings as an Atom feed, with the filters of their page.
func feed(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "list-filings", r.Values)
	if err != nil {
		return console.View{}, err
	}
	self := r.Origin + console.Link(filingsPath+".atom", maps.Clone(r.Values), "cursor", "")
	f := atom{
		ID: self, Title: "Newest filings of US private fund managers", Author: "GP Atlas", Updated: "1970-01-01T00:00:00Z",
		Links: []atomLink{{Rel: "self", Href: self}, {Href: r.Origin + filingsPath}},
	}
	for _, each := range a.Rows() {
		row, _ := each.(map[string]any)
		number, crd, at := console.Plain(row["accession_number"]), console.Plain(row["crd"]), console.Plain(row["processed_at"])
		f.Updated = max(f.Updated, at)
		f.Entries = append(f.Entries, atomEntry{
			ID: "urn:gpatlas:filing:" + crd + ":" + number, Title: console.Plain(row["gp_name"]) + ": " + console.Plain(row["filing_type"]), Updated: at,
			Link:    atomLink{Href: r.Origin + console.Fill(filingPath, map[string]string{"crd": crd, "accession": number})},
			Summary: "Filed on " + console.Day(row["filing_date"]) + ", " + number,
		})
	}
	text, err := xml.MarshalIndent(f, "", "\t")
	if err != nil {
		return console.View{}, fmt.Errorf("write the feed: %w", err)
	}
	return console.View{File: &console.File{Type: "application/atom+xml; charset=utf-8", Body: bytes.NewReader(append([]byte(xml.Header), text...))}}, nil
}
