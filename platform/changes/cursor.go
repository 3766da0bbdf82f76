package changes

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
)

// Cursor is a place in the log.
type Cursor struct {
	Epoch [16]byte
	Seq   int64 // the last number looked at
}

// ErrCursor is the error for a text that is no cursor.
var ErrCursor = errors.New("is not a cursor of this log; use a next_cursor that a response gave")

const cursorPrefix = "cur_"

// String is the cursor as readers get it.
func (c Cursor) String() string {
	return cursorPrefix + base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint64(c.Epoch[:], uint64(c.Seq)))
}

// ParseCursor reads String.
func ParseCursor(text string) (Cursor, error) {
	var c Cursor
	encoded, ok := strings.CutPrefix(text, cursorPrefix)
	raw, err := base64.RawURLEncoding.Strict().DecodeString(encoded)
	if !ok || err != nil || len(raw) != len(c.Epoch)+8 {
		return c, ErrCursor
	}
	n := binary.BigEndian.Uint64(raw[copy(c.Epoch[:], raw):])
	if c.Seq = int64(n); c.Seq < 0 {
		return c, ErrCursor
	}
	return c, nil
}

// Expired reports whether events after the cursor are no longer in the log, or the log was restored since. A cursor ahead of the log
// is not expired: the reader may have asked a server that is further on than this one.
func (h Head) Expired(c Cursor) bool { return c.Epoch != h.Epoch || c.Seq < h.Swept }

// Oldest is the cursor before the oldest event.
func (h Head) Oldest() Cursor { return Cursor{h.Epoch, h.Swept} }

// At is the cursor at a number.
func (h Head) At(seq int64) Cursor { return Cursor{h.Epoch, seq} }
