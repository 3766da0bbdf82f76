package bench_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// say prints one line of the progress.
func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

// row is one line of the report: what was measured, in each round.
type row struct {
	Key     string    `json:"key"`
	What    string    `json:"what"`
	Unit    string    `json:"unit,omitempty"`
	Rounds  []float64 `json:"rounds,omitempty"`  // none where it could not be measured
	Missing string    `json:"missing,omitempty"` // said in its place then
	Note    string    `json:"note,omitempty"`
}

// measured is the median with the extremes, if there is more than one round.
func (r *row) measured() string {
	if len(r.Rounds) == 0 {
		return r.Missing
	}
	s := figure(median(r.Rounds))
	if r.Unit != "" {
		s += " " + r.Unit
	}
	if low, high := extremes(r.Rounds); len(r.Rounds) > 1 {
		s += " (" + figure(low) + "–" + figure(high) + ")"
	}
	return s
}

// verdict compares the median.
func (r *row) verdict(t target) string {
	if len(r.Rounds) == 0 {
		return ""
	}
	return t.verdict(median(r.Rounds))
}

// figure writes three digits, or all before the point.
func figure(v float64) string {
	if v >= 1000 || v <= -1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// report is all that one run has measured.
type report struct {
	scale   string
	cores   int
	machine string
	command string
	began   time.Time
	rows    []row
}

func newReport(scale string) *report {
	return &report{
		scale: scale, cores: runtime.NumCPU(), machine: machine(), command: command(os.Args[1:]), began: time.Now().Truncate(time.Second),
	}
}

// command is how to measure the same again, beside `go run ./cmd/teststack --` or servers that the tests start themselves.
func command(args []string) string {
	own := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return strings.HasPrefix(arg, "-test.") })
	return "go test -run '^$' -bench '^BenchmarkTargets$' -benchtime 1x -timeout 0 ./bench " + strings.Join(own, " ")
}

// add puts a row into the table and says it at once, for the table comes much later.
func (r *report) add(line row) {
	r.rows = append(r.rows, line)
	t := r.target(line.Key)
	said := line.measured() + "  " + t.String() + "  " + line.verdict(t)
	if len(line.Rounds) == 0 {
		said = line.Missing + ": " + line.Note
	}
	say("  %-56s %s", line.What, strings.TrimRight(said, " –"))
}

// measure adds a row that was measured, round by round.
func (r *report) measure(key, what, unit string, rounds []float64, note string) {
	r.add(row{Key: key, What: what, Unit: unit, Rounds: rounds, Note: note})
}

// miss adds a row that could not be measured, and says why.
func (r *report) miss(key, what, why string) {
	r.add(row{Key: key, What: what, Missing: "not measured", Note: why})
}

// sorted are the rows as the targets table has them, whatever was measured first.
func (r *report) sorted() []row {
	groups := []string{"http", "keys", "money", "mail", "feed", "admin", "process", "postgresql", "questions", "past", "index", "rebuild", "month", "ingest", "load", "start"}
	group := func(line row) int {
		name, _, _ := strings.Cut(line.Key, "/")
		return slices.Index(groups, name)
	}
	return slices.SortedStableFunc(slices.Values(r.rows), func(a, b row) int { return cmp.Compare(group(a), group(b)) })
}

func (r *report) target(key string) target { return promises()[key].here(r.scale, r.cores) }

// note completes a row's note by the promise for a larger machine, where none was made for this one.
func (r *report) note(line *row) string {
	p := promises()[line.Key]
	if r.scale == scaleSEC && r.target(line.Key).value == 0 && p.four.value != 0 {
		elsewhere := "4 cores: " + p.four.String()
		if v := line.verdict(p.four); v != "" {
			elsewhere += " would be " + v
		}
		return strings.TrimSuffix(elsewhere+"; "+line.Note, "; ")
	}
	return line.Note
}

// table prints everything as one table, and what it was measured on.
func (r *report) table(out io.Writer) error {
	lines := [][]string{{"what", "measured (lowest–highest)", "target", "", "note"}}
	rows := r.sorted()
	for i := range rows {
		line := &rows[i]
		t := r.target(line.Key)
		lines = append(lines, []string{line.What, line.measured(), t.String(), line.verdict(t), r.note(line)})
	}
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n%s\n\n", r.header())
	for n, cells := range lines {
		var line strings.Builder
		for i, cell := range cells {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
		}
		fmt.Fprintln(&b, strings.TrimRight(line.String(), " "))
		if n == 0 {
			fmt.Fprintln(&b, strings.Repeat("-", 2*len(widths)-2+sum(widths)))
		}
	}
	_, err := b.WriteTo(out)
	return err
}

func (r *report) header() string {
	return fmt.Sprintf("scale %s · %s · %s · took %s\n%s", r.scale, r.machine, r.began.Format("2006-01-02 15:04"),
		time.Since(r.began).Round(time.Second), r.command)
}

// record is a row as the machine-readable copy has it: complete in itself, so that files can be put together.
type record struct {
	Date    time.Time `json:"date"`
	Scale   string    `json:"scale"`
	Cores   int       `json:"cores"`
	Machine string    `json:"machine"`
	Command string    `json:"command"`
	row
	Median  *float64 `json:"median,omitempty"`
	AtLeast float64  `json:"at_least,omitempty"`
	AtMost  float64  `json:"at_most,omitempty"`
	Verdict string   `json:"verdict,omitempty"`
}

// lines writes the rows as JSON, one a line.
func (r *report) lines(out io.Writer) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for _, line := range r.sorted() {
		t := r.target(line.Key)
		rec := record{Date: r.began, Scale: r.scale, Cores: r.cores, Machine: r.machine, Command: r.command, row: line, Verdict: line.verdict(t)}
		if len(line.Rounds) > 0 {
			rec.Median = new(median(line.Rounds))
		}
		if t.most {
			rec.AtMost = t.value
		} else {
			rec.AtLeast = t.value
		}
		if err := enc.Encode(rec); err != nil {
			return err
		}
	}
	return nil
}

// save writes the machine-readable copy and says where; without a path it goes to the project's data folder.
func (r *report) save(path string) error {
	if path == "" {
		path = filepath.Join(".data", "bench", r.began.Format("20060102-150405")+"-"+r.scale+".jsonl")
	}
	path = fromRoot(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := r.lines(&b); err != nil {
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		return err
	}
	say("\nsaved as %s", path)
	return nil
}

// fromRoot takes a path that somebody typed in the project's folder; `go test` runs us one folder below.
func fromRoot(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	if abs, err := filepath.Abs(filepath.Join("..", path)); err == nil {
		return abs
	}
	return filepath.Join("..", path)
}

// machine says what was measured on.
func machine() string {
	model, busy := "", ""
	if cpu, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := bytes.Cut(cpu, []byte("model name\t: ")); ok {
			line, _, _ := bytes.Cut(rest, []byte("\n"))
			model = ", " + string(line)
		}
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		busy = ", load before " + strings.Join(strings.Fields(string(load))[:2], " ")
	}
	return fmt.Sprintf("%d cores%s, %s/%s, %s%s", runtime.NumCPU(), model, runtime.GOOS, runtime.GOARCH, runtime.Version(), busy)
}

func median[T int | float64 | time.Duration](list []T) T {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

func extremes(list []float64) (low, high float64) { return slices.Min(list), slices.Max(list) }

func sum(list []int) (n int) {
	for _, v := range list {
		n += v
	}
	return n
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
