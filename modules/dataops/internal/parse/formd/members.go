package formd

import (
	"bytes"
	"path"
	"regexp"
	"strings"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/parse/archive"
	"gpatlas/modules/dataops/internal/parse/markup"
)

var (
	// aside is the name of a file that comes with an archive to tell about it, or of EDGAR's index of one filing.
	aside = regexp.MustCompile(`(?i)^(?:readme|licen[cs]e|copying|[0-9]{10}-[0-9]{2}-[0-9]{6}-index)`)
	// bareName is how EDGAR names a submission, without an ending.
	bareName = regexp.MustCompile(`^[0-9]{10}-[0-9]{2}-[0-9]{6}$`)
)

// members gives the files of an input that have a notice in them, as their names or first bytes tell: the input's only file,
// or those named .txt, .xml or by an accession number alone. Which of them have none is said of each: they may be downloads
// that failed, and must not vanish among thousands of good ones. Files of other names, and those that tell about an archive,
// are passed over.
func members(in *archive.Input) (files []noticeFile, others []catalogapi.Rejected, err error) {
	for _, m := range in.Members {
		alone, ending := len(in.Members) == 1, strings.ToLower(path.Ext(m.Name))
		isXML, isText := ending == ".xml", ending == ".txt" || bareName.MatchString(m.Name)
		if m.Workbook || !alone && !isXML && !isText {
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

// noNotice says what is wrong with a file that shows by its first bytes that it is neither a submission nor XML.
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
