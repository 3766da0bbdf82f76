package formd

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/format"
	"gpatlas/modules/dataops/internal/parse/markup"
)

var (
	// aside is the name of a file that describes the archive it comes with, or of EDGAR's index of one filing.
	aside = regexp.MustCompile(`(?i)^(?:readme|licen[cs]e|copying|[0-9]{10}-[0-9]{2}-[0-9]{6}-index)`)
	// document is the name of a file that may be a document of another kind.
	document = regexp.MustCompile(`(?i)\.(?:csv|tsv|xlsx|zip)$`)
	// bareName is how EDGAR names a submission, without an ending.
	bareName = regexp.MustCompile(`^[0-9]{10}-[0-9]{2}-[0-9]{6}$`)
)

// members returns the files of an input that contain a notice, recognized by their names or first bytes: the input's only file,
// or those named .txt, .xml or only by an accession number. Such a file without a notice is rejected: it may be a failed
// download, which must not go unnoticed among thousands of good files. Tables and archives in a zip archive are rejected too; in a folder they are separate documents.
// Files with other names, and those that describe an archive, are skipped.
func members(in *archive.Input) (files []noticeFile, others []catalogapi.Rejected, err error) {
	for _, m := range in.Members {
		alone, ending := len(in.Members) == 1, strings.ToLower(path.Ext(m.Name))
		isXML, isText := ending == ".xml", ending == ".txt" || bareName.MatchString(m.Name)
		if m.Workbook || !alone && !isXML && !isText {
			if in.Packed && document.MatchString(m.Name) {
				others = append(others, catalogapi.Rejected{File: m.Name, Line: 1, Reason: "The file is not a notice, and of an archive of notices nothing else is read. Load it by itself"})
			}
			continue
		}
		head, err := m.Head()
		if err != nil {
			return nil, nil, err
		}
		why := noNotice(m, head, isText)
		switch {
		case isSubmission(head):
			files = append(files, noticeFile{m, true})
		case alone, why == "":
			files = append(files, noticeFile{m, false})
		case !aside.MatchString(m.Name):
			others = append(others, catalogapi.Rejected{File: m.Name, Line: 1, Reason: "The file is not a notice: " + why})
		}
	}
	return files, others, nil
}

// RejectStrays rejects the notices in a zip archive that also has tables of any kind: the archive is one document. In a folder
// each of them is a separate document.
func RejectStrays(in *archive.Input, opts format.Options) error {
	if !in.Packed {
		return nil
	}
	files, _, err := members(in)
	if err != nil {
		return err
	}
	for _, f := range files {
		mine := f.submission
		if !mine {
			if mine, err = isNotice(f.Member); err != nil {
				return err
			}
		}
		if mine {
			opts.Reject(catalogapi.Rejected{File: f.Name, Line: 1, Reason: "The file is a Form D notice beside tables, and of such an archive only the tables are read. Load it by itself"})
		}
	}
	return nil
}

// noNotice returns what is wrong with a file that, by its first bytes, is neither a submission nor XML.
func noNotice(m *archive.Member, head []byte, isText bool) string {
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		return "it is empty"
	case strings.EqualFold(markup.Root(bytes.TrimSpace(head)), "html") && !rendering(m):
		return "it is an HTML page, perhaps EDGAR's answer to too many requests. Fetch it again"
	case isText:
		return "its first 4 KiB have neither <SEC-DOCUMENT> nor <SEC-HEADER>, with which a full submission begins"
	}
	return ""
}
