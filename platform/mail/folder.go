package mail

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"gpatlas/platform/apperr"
)

// folderSender writes each mail into a file that mail programs open. Several processes may share a folder.
type folderSender struct {
	writer
	dir   string
	count atomic.Uint64
}

func newFolder(dir string, w writer) (*folderSender, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("MAIL_DIR: cannot create the folder %s: %w: choose another", dir, apperr.Cause(err))
	}
	w.plain = true
	return &folderSender{writer: w, dir: dir}, nil
}

// Send writes one file, under a temporary name until it is complete, so that watchers of the folder see no partial mail.
func (s *folderSender) Send(ctx context.Context, m Message) error {
	l, err := s.write(m)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return &SendError{Stage: "folder", reason: err.Error(), cause: err}
	}
	name := filepath.Join(s.dir, s.name())
	if err := writeFile(name, l.data); err != nil {
		return &SendError{Stage: "folder", reason: plain(err.Error(), l.to), cause: err}
	}
	return nil
}

// name sorts by time, then by the order of sending; the random end keeps processes apart.
func (s *folderSender) name() string {
	var end [4]byte
	_, _ = rand.Read(end[:]) // never fails: without randomness the program ends
	at := s.clock.Now().UTC().Format("20060102T150405.000000000Z")
	return fmt.Sprintf("%s-%06d-%s.eml", at, s.count.Add(1), hex.EncodeToString(end[:]))
}

// writeFile makes a file that only its owner can read: mails contain links that sign people in.
func writeFile(name string, data []byte) (err error) {
	partial := name + ".partial"
	f, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(partial)
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(partial, name)
}
