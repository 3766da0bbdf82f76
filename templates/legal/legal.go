// Package legal has the legal texts of the service.
package legal

import (
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Terms is the terms of service in Markdown, with the front matter that VersionOf reads.
//
//go:embed terms.md
var Terms []byte

// Version is what the terms say of themselves.
type Version struct {
	Version       string `json:"version" doc:"Version of the terms." example:"1.0"`
	EffectiveDate string `json:"effective_date" format:"date" doc:"Day from which the version applies." example:"2026-11-22"`
	LastUpdated   string `json:"last_updated" format:"date" doc:"Date of the last change of the text." example:"2026-11-22"`
}

// SchemaName is its name in the document.
func (Version) SchemaName() string { return "TermsVersion" }

// VersionOf reads the front matter of a document: lines of "name: value" between two lines of three hyphens.
func VersionOf(document []byte) (Version, error) {
	front, _, closed := strings.Cut(strings.TrimPrefix(string(document), "---\n"), "\n---\n")
	if !closed || !strings.HasPrefix(string(document), "---\n") {
		return Version{}, errors.New("legal: the document has no front matter")
	}
	fields := map[string]string{}
	for line := range strings.SplitSeq(front, "\n") {
		name, value, _ := strings.Cut(line, ":")
		fields[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	v := Version{Version: fields["version"], EffectiveDate: fields["effective_date"], LastUpdated: fields["last_updated"]}
	if v.Version == "" {
		return Version{}, errors.New("legal: the document has no version")
	}
	for name, day := range map[string]string{"effective_date": v.EffectiveDate, "last_updated": v.LastUpdated} {
		if _, err := time.Parse(time.DateOnly, day); err != nil {
			return Version{}, fmt.Errorf("legal: %s of the document: %w", name, err)
		}
	}
	return v, nil
}
