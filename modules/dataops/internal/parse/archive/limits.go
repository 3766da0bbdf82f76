package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
)

// Limits bound what an archive may unpack to. A zero field takes the default.
type Limits struct {
	MemberBytesMax   int64 // one member, uncompressed
	TotalBytesMax    int64 // all members, uncompressed
	WorkbookBytesMax int64 // a workbook as stored: it is held in memory while it is read
	RatioMax         int64 // maximum compression ratio: uncompressed bytes for each compressed one
	RatioFreeBytes   int64 // members up to this size are exempt from RatioMax
	MembersMax       int
}

// The defaults: the largest real archive (2011 to 2024, part 1) unfolds to some 5 GiB at a ratio near 8.
const (
	memberBytesMax   = 8 << 30
	totalBytesMax    = 32 << 30
	workbookBytesMax = 256 << 20
	ratioMax         = 200
	ratioFreeBytes   = 64 << 20
	membersMax       = 10_000
)

func (l Limits) withDefaults() Limits {
	l.MemberBytesMax = or(l.MemberBytesMax, memberBytesMax)
	l.TotalBytesMax = or(l.TotalBytesMax, totalBytesMax)
	l.WorkbookBytesMax = or(l.WorkbookBytesMax, workbookBytesMax)
	l.RatioMax = or(l.RatioMax, ratioMax)
	l.RatioFreeBytes = or(l.RatioFreeBytes, ratioFreeBytes)
	l.MembersMax = int(or(int64(l.MembersMax), membersMax))
	return l
}

func or(v, fallback int64) int64 {
	if v > 0 {
		return v
	}
	return fallback
}

// ErrTooLarge says that an archive unfolds to more than the limits allow.
var ErrTooLarge = errors.New("exceeds a limit when unpacked")

func tooLarge(what, format string, args ...any) error {
	return fmt.Errorf("%s %w: %s", what, ErrTooLarge, fmt.Sprintf(format, args...))
}

// checkZip refuses what its directory already shows to be too large. The sizes there can be believed: the reader fails
// on a member that holds more.
func (l Limits) checkZip(z *zip.Reader) error {
	if len(z.File) > l.MembersMax {
		return tooLarge("the archive", "%d members, at most %d", len(z.File), l.MembersMax)
	}
	var total uint64
	for _, f := range z.File {
		if f.Flags&1 != 0 {
			return fmt.Errorf("%s is encrypted", label(f.Name))
		}
		if f.UncompressedSize64 > uint64(l.MemberBytesMax) {
			return tooLarge(label(f.Name), "%d bytes, at most %d", f.UncompressedSize64, l.MemberBytesMax)
		}
		if err := l.checkRatio(label(f.Name), f.UncompressedSize64, f.CompressedSize64); err != nil {
			return err
		}
		if total += f.UncompressedSize64; total > uint64(l.TotalBytesMax) {
			return tooLarge("the archive", "over %d bytes", l.TotalBytesMax)
		}
	}
	return nil
}

func (l Limits) checkRatio(what string, size, stored uint64) error {
	if size > uint64(l.RatioFreeBytes) && size/max(stored, 1) >= uint64(l.RatioMax) {
		return tooLarge(what, "%d times its stored size, at most %d", size/max(stored, 1), l.RatioMax)
	}
	return nil
}

// guard counts the bytes of a compressed stream and names its damage.
type guard struct {
	src    io.ReadCloser
	what   string
	limits Limits
	stored uint64
	read   uint64
	// under is closed after src; may be nil.
	under io.Closer
}

func (g *guard) Read(p []byte) (int, error) {
	n, err := g.src.Read(p)
	g.read += uint64(n)
	if g.read > uint64(g.limits.MemberBytesMax) {
		return 0, tooLarge(g.what, "over %d bytes", g.limits.MemberBytesMax)
	}
	if over := g.limits.checkRatio(g.what, g.read, g.stored); over != nil {
		return 0, over
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = damaged(err)
	}
	return n, err
}

func (g *guard) Close() error {
	err := g.src.Close()
	if g.under != nil {
		err = errors.Join(err, g.under.Close())
	}
	return err
}

// ErrDamaged says that an archive is cut short or otherwise not what its format demands.
var ErrDamaged = errors.New("the archive is truncated or damaged")

func damaged(err error) error { return fmt.Errorf("%w (%w)", ErrDamaged, err) }
