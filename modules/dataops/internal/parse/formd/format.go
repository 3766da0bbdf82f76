package formd

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
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
	// setName tells a quarterly set by its name alone, so that one without tables is refused as what it is.
	setName = regexp.MustCompile(`(?i)^\d{4}q[1-4]_d(\.zip)?$`)
	// tableName is a table of a quarterly set.
	tableName = regexp.MustCompile(`(?i)^(FORMDSUBMISSION|ISSUERS|OFFERING|RECIPIENTS|RELATEDPERSONS|SIGNATURES)\.tsv$`)
)

func detect(in *archive.Input) (bool, error) {
	if isSet(in) {
		return true, nil
	}
	for _, m := range xmlMembers(in) {
		if mine, err := isNotice(m); mine || err != nil {
			return mine, err
		}
	}
	submissions, err := submissionMembers(in)
	return len(submissions) > 0, err
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
		return openSet(ctx, in, opts)
	}
	files, err := noticeFiles(in)
	if err != nil {
		return format.Opened{}, err
	}
	return openNotices(ctx, files, opts)
}

// noticeFiles gives the files of an input that have a notice in them, as their names or first bytes tell.
func noticeFiles(in *archive.Input) ([]noticeFile, error) {
	submissions, err := submissionMembers(in)
	if err != nil {
		return nil, err
	}
	var out []noticeFile
	for _, m := range submissions {
		out = append(out, noticeFile{m, true})
	}
	for _, m := range xmlMembers(in) {
		if !slices.Contains(submissions, m) {
			out = append(out, noticeFile{m, false})
		}
	}
	return out, nil
}

// xmlMembers gives the members that may be notices: the input's only file, or those named .xml.
func xmlMembers(in *archive.Input) []*archive.Member {
	var out []*archive.Member
	for _, m := range in.Members {
		if !m.Workbook && (len(in.Members) == 1 || strings.EqualFold(path.Ext(m.Name), ".xml")) {
			out = append(out, m)
		}
	}
	return out
}

// isNotice tells a notice, or the page made of one, by its first bytes.
func isNotice(m *archive.Member) (bool, error) {
	head, err := m.Head()
	if err != nil {
		return false, err
	}
	root := markup.Root(head)
	return root == elRoot || strings.EqualFold(root, "html") && rendering(m), nil
}

// rendering says whether an HTML page is one that EDGAR makes of a notice, by its name or its folder's.
func rendering(m *archive.Member) bool {
	return strings.HasSuffix(strings.ToLower(m.Name), "primary_doc.xml") || strings.HasPrefix(strings.ToLower(m.Parent), "xslform")
}

// series names the documents that can be compared.
func series(kind string) string { return fmt.Sprintf("%s/%s", catalogapi.SourceFormD, kind) }
