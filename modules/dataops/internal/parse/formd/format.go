package formd

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/markup"
)

// Format describes the notices to the parser's registry.
func Format() format.Format {
	return format.Format{
		Name:  string(catalogapi.SourceFormD),
		Looks: "Form D data set or notice",
		Part: format.Part{
			Name:    "FORMDSUBMISSION.tsv, root element " + elRoot + " or <SEC-HEADER>",
			Endings: []string{".xml", ".txt", ".tsv", "/"},
		},
		Detect: detect,
		Open:   open,
	}
}

var (
	// setName recognizes a quarterly set by its name alone, so that the error about a set without tables calls it one.
	setName = regexp.MustCompile(`(?i)^\d{4}q[1-4]_d(\.zip)?$`)
	// tableName is a table of a quarterly set.
	tableName = regexp.MustCompile(`(?i)^(FORMDSUBMISSION|ISSUERS|OFFERING|RECIPIENTS|RELATEDPERSONS|SIGNATURES)\.tsv$`)
)

func detect(in *archive.Input) (bool, error) {
	if isSet(in) {
		return true, nil
	}
	files, _, err := members(in)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if f.submission {
			return true, nil
		}
		if mine, err := isNotice(f.Member); mine || err != nil {
			return mine, err
		}
	}
	return false, nil
}

func isSet(in *archive.Input) bool {
	for _, m := range in.Members {
		if tableName.MatchString(m.Name) {
			return true
		}
	}
	return (in.Packed || in.Folder) && setName.MatchString(in.Name)
}

func open(ctx context.Context, in *archive.Input, opts format.Options) (format.Opened, error) {
	if isSet(in) {
		set, err := openSet(ctx, in, opts)
		if err == nil {
			err = RejectStrays(in, opts)
		}
		return set, err
	}
	files, others, err := members(in)
	if err != nil {
		return format.Opened{}, err
	}
	for _, r := range others {
		opts.Reject(r)
	}
	return openNotices(ctx, files, len(files)+len(others) > 1, opts)
}

// isNotice recognizes a notice, or the page made of one, by its first bytes.
func isNotice(m *archive.Member) (bool, error) {
	head, err := m.Head()
	if err != nil {
		return false, err
	}
	root := markup.Root(head)
	return root == elRoot || strings.EqualFold(root, "html") && rendering(m), nil
}

// rendering reports whether an HTML page is one that EDGAR makes of a notice, by its name or its folder's.
func rendering(m *archive.Member) bool {
	return strings.HasSuffix(strings.ToLower(m.Name), "primary_doc.xml") || strings.HasPrefix(strings.ToLower(m.Parent), "xslform")
}

// series names the documents that can be compared.
func series(kind string) string { return fmt.Sprintf("%s/%s", catalogapi.SourceFormD, kind) }
