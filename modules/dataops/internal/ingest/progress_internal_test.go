package ingest

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/clocktest"
)

// Without a terminal no two seconds pass without a line, whatever is done: a document, a stage, or nothing that has a name.
func TestLinesAreNeverSilent(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	clk := clocktest.New(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC))
	l := newLines(&out, clk)
	step := func(want string) {
		t.Helper()
		out.Reset()
		clk.Move(time.Second)
		l.look()
		require.Empty(t, out.String(), "a second is no silence")
		clk.Move(time.Second)
		l.look()
		require.Equal(t, want, out.String())
	}
	l.Begin("ia070126.csv", 1, 12)
	step("ia070126.csv  [2/12]  0 rows  0:02 …\n")
	l.Rows(1_234_567)
	step("ia070126.csv  [2/12]  1,234,567 rows  0:04 …\n")
	out.Reset()
	l.Staged(Document{Document: "ia070126.csv", Read: 1_300_000, Seconds: 4.2})
	require.Equal(t, "[2/12] ia070126.csv: 1,300,000 rows staged (4.2 s)\n", out.String())
	l.Stage("deriving 40,000 advisers")
	step("deriving 40,000 advisers  [2/12]  0:02 …\n")
	l.Stage("waiting") // inside of the other
	step("waiting  [2/12]  0:02 …\n")
	l.StageEnd(Stage{Name: "waiting", Seconds: 2})
	step("deriving 40,000 advisers  [2/12]  0:06 …\n")
	out.Reset()
	l.StageEnd(Stage{Name: "deriving 40,000 advisers", Seconds: 6})
	l.StageEnd(Stage{Name: "counting", Seconds: 0.01})
	require.Equal(t, "deriving 40,000 advisers (6.0 s)\n", out.String())
	l.End(Document{Document: "ia070126.csv", Read: 1_300_000, Filings: Counts{New: 1}, Changed: true, Seconds: 4.2, RowsPerSecond: 300_000})
	l.Stage("reading people of 40,000 advisers")
	step("reading people of 40,000 advisers  [2/12]  0:02 …\n")
	l.Close()
}

// Signs are a line within two seconds while something lasts, and no others.
func TestSigns(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	clk := clocktest.New(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC))
	l := newLines(&out, clk)
	l.signs = true
	l.Stage("starting PostgreSQL and Redis")
	clk.Move(linesEvery)
	l.look()
	require.Equal(t, "starting PostgreSQL and Redis  0:01 …\n", out.String())
	out.Reset()
	l.StageEnd(Stage{Name: "starting PostgreSQL and Redis", Seconds: 1.8})
	l.Begin("a.zip", 0, 2)
	l.Staged(Document{Document: "a.zip", Read: 7})
	l.End(Document{Document: "a.zip", Read: 7})
	require.Empty(t, out.String())
	l.Begin("b.zip", 1, 2)
	clk.Move(linesEvery)
	l.look()
	require.Equal(t, "b.zip  [2/2]  0 rows  0:01 …\n", out.String())
	l.Close()
}

// screen is a pseudo terminal and what was written to it.
type screen struct {
	tty *os.File
	mu  sync.Mutex
	out bytes.Buffer
}

func newScreen(t *testing.T, columns uint16) *screen {
	t.Helper()
	master, tty, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: columns}))
	s := &screen{tty: tty}
	t.Cleanup(func() { _, _ = tty.Close(), master.Close() })
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			s.mu.Lock()
			s.out.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

// shows waits until a line of the screen begins with a text.
func (s *screen) shows(t *testing.T, text string) {
	t.Helper()
	require.Eventually(t, func() bool {
		for line := range strings.Lines(s.String()) {
			if strings.HasPrefix(line, text) {
				return true
			}
		}
		return false
	}, 10*time.Second, 5*time.Millisecond, text)
}

// String is what was written, without the movements of the cursor.
func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.NewReplacer("\x1b[1A\x1b[J", "", "\r", "").Replace(s.out.String())
}

// On a terminal of 80 columns the bar shows the document, which of how many it is, its rows and its time, and stages likewise.
func TestBarsOnATerminal(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 80)
	clk := clocktest.New(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC))
	b := NewBars(s.tty, clk)
	b.Stage("downloading adv")
	clk.Move(3 * time.Second)
	s.shows(t, "downloading adv  0:03 [")
	b.StageEnd(Stage{Name: "downloading adv", Seconds: 3})
	b.Begin("ADV_Filing_Data_20240601_20240630.zip", 1, 12)
	b.Rows(1_234_567)
	clk.Move(72 * time.Second)
	s.shows(t, "ADV_Filing_Data_20240601_20240630.zip  [2/12]  1,234,567 rows  1:12 [")
	b.Staged(Document{Document: "ADV_Filing_Data_20240601_20240630.zip", Read: 1_300_000, Seconds: 72})
	s.shows(t, "ADV_Filing_Data_20240601_20240630.zip: 1,300,000 rows staged (72.0 s)")
	b.Stage("deriving 40,000 advisers")
	clk.Move(5 * time.Second)
	s.shows(t, "deriving 40,000 advisers  [2/12]  0:05 [")
	b.StageEnd(Stage{Name: "deriving 40,000 advisers", Seconds: 5})
	s.shows(t, "deriving 40,000 advisers (5.0 s)")
	b.End(Document{Document: "ADV_Filing_Data_20240601_20240630.zip", Error: "torn"})
	s.shows(t, "ADV_Filing_Data_20240601_20240630.zip: failed: torn")
	b.Close()
}

// A narrow terminal cuts the name, not what changes.
func TestBarsOnANarrowTerminal(t *testing.T) {
	t.Parallel()
	s := newScreen(t, 50)
	b := NewBars(s.tty, clocktest.New(time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)))
	b.Begin("ADV_Filing_Data_20240601_20240630.zip", 1, 12)
	b.Rows(1_234_567)
	s.shows(t, "ADV_…zip  [2/12]  1,234,567 rows  0:00")
	b.Close()
}
