package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"gpatlas/platform/apperr"
)

// openFolder lists a folder's files, those in folders below it too. The parts of a split archive are replaced by their
// members, so that the folder with the parts is the whole archive.
func (in *Input) openFolder(ctx context.Context, root string) error {
	in.Folder = true
	var parts []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("%s: %w", label(path), apperr.Cause(err))
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if path == root {
			return nil
		}
		if hidden(d.Name()) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		if len(in.Members)+len(parts) >= in.limits.MembersMax {
			return tooLarge("the folder", "more than %d files", in.limits.MembersMax)
		}
		if isPartFile(path) {
			parts = append(parts, path)
			return nil
		}
		in.Members = append(in.Members, in.folderMember(path, d))
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range in.Members {
		in.Bytes += m.Size
	}
	if err := in.unfold(ctx, parts); err != nil {
		return err
	}
	if len(in.Members) == 0 {
		return errors.New("the folder is empty")
	}
	return nil
}

// partName is how the parts of an archive are named that its publisher cut: adv-filing-data-20111105-20241231-part1.zip.
var partName = regexp.MustCompile(`(?i)[-_ ]part[-_ ]?\d{1,2}\.zip$`)

// IsPart reports by its base name whether a zip archive is a part of a larger one. Parts in one folder are one input,
// the folder; every other zip archive is an input by itself.
func IsPart(name string) bool { return partName.MatchString(name) }

// Whole returns the name of the archive that a part belongs to, without an ending: adv-filing-data-20111105-20241231. Of any
// other name it is that name.
func Whole(name string) string { return partName.ReplaceAllString(name, "") }

// isPartFile is IsPart for an existing file. Its content is checked later: a torn download must be rejected, not ignored.
func isPartFile(path string) bool {
	if !IsPart(filepath.Base(path)) {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// unfold adds the members of an archive's parts to the files of a folder. If a file with the same name and size as a member is in
// the folder, only the file counts.
func (in *Input) unfold(ctx context.Context, parts []string) error {
	type twin struct {
		name string
		size int64
	}
	unpacked := make(map[twin]bool, len(in.Members))
	for _, m := range in.Members {
		unpacked[twin{m.Name, m.Size}] = true
	}
	var total uint64
	for _, path := range parts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		name := label(path)
		z, size, err := in.openPart(path)
		if err != nil {
			return fmt.Errorf("%s: %w", name, apperr.Cause(err))
		}
		in.Bytes += size
		for _, f := range z.File {
			if total += f.UncompressedSize64; total > uint64(in.limits.TotalBytesMax) {
				return tooLarge("the folder", "over %d bytes", in.limits.TotalBytesMax)
			}
			if !f.Mode().IsRegular() || hidden(f.Name) || unpacked[twin{label(f.Name), int64(f.UncompressedSize64)}] {
				continue
			}
			in.Members = append(in.Members, in.zipMember(f))
		}
		if len(in.Members) > in.limits.MembersMax {
			return tooLarge("the folder", "more than %d files", in.limits.MembersMax)
		}
	}
	return nil
}

func (in *Input) openPart(path string) (*zip.Reader, int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	in.OnClose(file.Close)
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	z, err := readZip(file, info.Size())
	if err != nil {
		return nil, 0, err
	}
	return z, info.Size(), in.limits.checkZip(z)
}

// folderMember makes a member of a folder's file. What cannot be read fails when it is opened, and only then: a folder
// may hold other things than ours.
func (in *Input) folderMember(path string, d fs.DirEntry) *Member {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a regular file")
	}
	if err != nil {
		return &Member{Name: label(d.Name()), failure: apperr.Cause(err)}
	}
	magic, err := head(path, 4)
	if err != nil {
		return &Member{Name: label(d.Name()), failure: apperr.Cause(err)}
	}
	m := in.fileMember(path, d.Name(), info.Size(), bytes.HasPrefix(magic, magicGzip))
	m.Workbook = bytes.Equal(magic, magicZip) && strings.EqualFold(filepath.Ext(path), ".xlsx")
	return m
}
