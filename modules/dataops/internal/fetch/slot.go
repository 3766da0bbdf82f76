package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"gpatlas/platform/apperr"
)

// slot is where the copy of one address is kept while it is fetched and used: a folder with the file and what is known
// of it, and a lock beside it. The kernel drops the lock with its holder, however that ends.
type slot struct {
	dir, file string
	lock      *os.File
	state     state
	failed    bool // the disk did not take what came
}

// state is what is known of an unfinished or finished copy.
type state struct {
	URL          string `json:"url"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	Total        int64  `json:"total"` // -1 = not announced
	Complete     bool   `json:"complete"`
}

func (s state) edition() Edition { return Edition{s.ETag, s.LastModified} }

// strong is a validator by which bytes of two answers may be put together: RFC 9110 section 13.1.5 forbids weak ones.
func (e Edition) strong() string {
	if e.ETag != "" {
		if strings.HasPrefix(e.ETag, "W/") {
			return ""
		}
		return e.ETag
	}
	return e.LastModified
}

// unsafeName is what a file's name must not hold when an address chose it.
var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// slotName matches the names of slots' folders. Nothing else is ever deleted by the cleanup.
var slotName = regexp.MustCompile(`^[0-9a-f]{24}$`)

const (
	stateName = "state.json"
	lockWait  = 250 * time.Millisecond // between looks at a lock that another process holds
	keptFor   = 30 * 24 * time.Hour    // how long an unfinished download is kept
)

// slot finds or makes the slot of an address, when no other process has it.
func (c *Client) slot(ctx context.Context, r Request) (*slot, error) {
	name := strings.TrimLeft(unsafeName.ReplaceAllString(r.Name, "_"), ".")
	if name == "" || name == stateName {
		name = "download"
	}
	base := c.cfg.Dir
	if base == "" {
		dir, err := os.MkdirTemp("", "gpatlas-download-*")
		if err != nil {
			return nil, fmt.Errorf("make a folder for the download: %w", err)
		}
		return &slot{dir: dir, file: filepath.Join(dir, name), state: state{Total: -1}}, nil
	}
	c.swept.Do(func() { c.sweep(ctx) })
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the folder for downloads %s: %w", base, apperr.Cause(err))
	}
	sum := sha256.Sum256([]byte(r.URL.String()))
	dir := filepath.Join(base, hex.EncodeToString(sum[:12]))
	s := &slot{dir: dir, file: filepath.Join(dir, name)}
	for said := false; ; said = true {
		var err error
		if s.lock, err = tryLock(dir + ".lock"); err != nil {
			return nil, fmt.Errorf("lock the download: %w", err)
		}
		if s.lock != nil {
			break
		}
		if !said {
			c.log.InfoContext(ctx, "waiting for another process that downloads the same file", slog.String("address", r.URL.Redacted()))
		}
		if err := c.cfg.Sleep(ctx, lockWait); err != nil {
			return nil, err
		}
	}
	if err := s.recall(r.URL.String()); err != nil {
		return nil, errors.Join(err, s.leave())
	}
	return s, nil
}

// tryLock locks a lock file, or returns nil if another process has locked it. The holder removes the file at the end, so a
// lock on a file that is no longer at the path does not count.
func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, nil
		}
		return nil, err
	}
	mine, err := f.Stat()
	if err == nil {
		if there, gone := os.Stat(path); gone == nil && os.SameFile(mine, there) {
			return f, nil
		}
	}
	return nil, errors.Join(err, f.Close())
}

// recall finds what an earlier try has left. What cannot be understood is forgotten.
func (s *slot) recall(url string) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	s.state = state{Total: -1}
	text, err := os.ReadFile(filepath.Join(s.dir, stateName))
	var was state
	if err != nil || json.Unmarshal(text, &was) != nil || was.URL != url {
		return s.clear()
	}
	size, err := s.size()
	if err != nil || (was.Total >= 0 && size > was.Total) || (was.Complete && size != was.Total) {
		return errors.Join(err, s.clear())
	}
	s.state = was
	return nil
}

// clear removes the copy and what is known of it.
func (s *slot) clear() error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	return os.MkdirAll(s.dir, 0o700)
}

// begin starts the copy again. What is known of it is written first: bytes without a state are never continued.
func (s *slot) begin(st state) error {
	if err := s.clear(); err != nil {
		return err
	}
	s.state = st
	return s.note()
}

// complete notes that the copy is whole.
func (s *slot) complete() error {
	size, err := s.size()
	if err != nil {
		return err
	}
	s.state.Complete, s.state.Total = true, size
	return s.note()
}

// note writes the state, whole or not at all.
func (s *slot) note() error {
	text, err := json.Marshal(s.state)
	if err != nil {
		return err
	}
	next := filepath.Join(s.dir, stateName+".new")
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	return os.Rename(next, filepath.Join(s.dir, stateName))
}

// write appends what comes after the first have bytes.
func (s *slot) write(have int64, src io.Reader) (n int64, err error) {
	out, err := os.OpenFile(s.file, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		s.failed = true
		return 0, err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := out.Truncate(have); err != nil {
		s.failed = true
		return 0, err
	}
	if _, err := out.Seek(have, io.SeekStart); err != nil {
		s.failed = true
		return 0, err
	}
	disk := &diskWriter{out: out}
	n, err = io.Copy(disk, src)
	s.failed = disk.err != nil
	return n, err
}

// diskWriter distinguishes faults of the disk from those of the server.
type diskWriter struct {
	out io.Writer
	err error
}

func (d *diskWriter) Write(p []byte) (int, error) {
	n, err := d.out.Write(p)
	d.err = err
	return n, err
}

// leave releases the slot and keeps its content if the download may be continued.
func (s *slot) leave() error {
	if s.lock == nil {
		return s.remove()
	}
	return s.lock.Close()
}

// remove empties and releases the slot.
func (s *slot) remove() error {
	err := os.RemoveAll(s.dir)
	if s.lock != nil {
		// Removed while it is held. A process that waits for the lock detects this: see tryLock.
		err = errors.Join(err, os.Remove(s.dir+".lock"), s.lock.Close())
	}
	return err
}

// sweep removes what was begun long ago and never continued. A fault here is no reason not to fetch.
func (c *Client) sweep(ctx context.Context) {
	entries, err := os.ReadDir(c.cfg.Dir)
	if err != nil {
		return // it is not there yet
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !slotName.MatchString(e.Name()) || c.clock.Now().Sub(info.ModTime()) < keptFor {
			continue
		}
		dir := filepath.Join(c.cfg.Dir, e.Name())
		if lock, err := tryLock(dir + ".lock"); err == nil && lock != nil {
			s := &slot{dir: dir, lock: lock}
			if err := s.remove(); err != nil {
				c.log.WarnContext(ctx, "an old download could not be removed", slog.String("folder", dir), slog.Any("error", err))
			}
		}
	}
}

// path of the copy.
func (s *slot) path() string { return s.file }

func (s *slot) size() (int64, error) {
	info, err := os.Stat(s.file)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
