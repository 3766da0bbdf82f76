package source

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/platform/clock"
	"gpatlas/platform/stage"
)

// Recorder keeps the uses of sources. It is asked while the source is locked.
type Recorder interface {
	// Take begins a use of a source and returns its number; 0 if it is no longer wanted.
	Take(ctx context.Context, source string) (id int64, err error)
	// Finish records the result; fault is nil if all went well.
	Finish(ctx context.Context, id int64, report ingest.SourceReport, fault error) error
}

// Service fetches the files of sources and passes them on to be loaded.
type Service struct {
	list   []Definition
	store  *Store
	fetch  *fetch.Client
	clock  clock.Clock
	log    *slog.Logger
	uses   Recorder
	accept bool // the operator lets checks pass: what was stopped before is tried again
}

// New makes a service over the configured sources. With accept, the operator lets checks of the quality gate pass, so files that
// were stopped before are fetched again.
func New(list []Definition, store *Store, fetcher *fetch.Client, clk clock.Clock, log *slog.Logger, uses Recorder, accept bool) *Service {
	return &Service{list: list, store: store, fetch: fetcher, clock: clk, log: log, uses: uses, accept: accept}
}

// Run looks what a source has that is new, fetches it and has it loaded, oldest first. A file that fails does not keep
// the others from being loaded; the error names them all, and of documents that the quality gate stopped now. It may
// run twice: the second time nothing is new. Two at once wait for each other.
func (s *Service) Run(ctx context.Context, name string, batch *ingest.Batch) (ingest.SourceReport, error) {
	d, err := Find(s.list, name)
	if err != nil {
		return ingest.SourceReport{Source: name}, err
	}
	if !d.IsEnabled() {
		return ingest.SourceReport{Source: name}, fmt.Errorf("source %s is disabled", name)
	}
	u := &use{Service: s, d: d, batch: batch, report: ingest.SourceReport{Source: name}}
	err = s.store.exclusively(ctx, name, func(ctx context.Context) error {
		if err := s.store.begin(ctx, name); err != nil {
			return err
		}
		if u.extraction, err = s.uses.Take(ctx, name); err != nil || u.extraction == 0 {
			return err
		}
		err := u.once(ctx)
		came := errors.Join(err, errors.Join(u.faults...), errors.Join(u.stopped...))
		return errors.Join(err, s.uses.Finish(context.WithoutCancel(ctx), u.extraction, u.report, came))
	})
	if err == nil {
		err = errors.Join(append(u.faults, u.stopped...)...)
	}
	if err != nil {
		s.log.ErrorContext(ctx, "source failed", slog.String("source", name), slog.Any("error", err))
		return u.report, fmt.Errorf("source %s: %w", name, err)
	}
	s.log.InfoContext(ctx, "source done", slog.String("source", name), slog.Int("listed", u.report.Listed),
		slog.Int("loaded", u.report.Loaded), slog.Int("known", u.report.Known))
	return u.report, nil
}

// use is one use of a source.
type use struct {
	*Service

	d          Definition
	batch      *ingest.Batch
	extraction int64
	report     ingest.SourceReport
	faults     []error // of the source
	stopped    []error // documents that the quality gate stopped: the source did what it should
}

// once uses the source, and notes how it did.
func (u *use) once(ctx context.Context) error {
	u.all(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx) // we were stopped: that is no fault of the source
	}
	fault := errors.Join(u.faults...)
	if fault != nil {
		u.report.Error = fault.Error()
	}
	return u.store.end(ctx, u.d.Name, fault, u.clock.Now())
}

func (u *use) all(ctx context.Context) {
	end := stage.Begin(ctx, "asking "+u.d.Name+" for its files")
	files, faults := discover(ctx, u.d, u.clock.Now().UTC(), func(ctx context.Context, at *url.URL) ([]byte, error) {
		return u.fetch.Get(ctx, at, indexBytesMax)
	})
	end()
	u.faults = append(u.faults, faults...)
	for _, f := range files {
		u.report.Listed += f.files()
	}
	known, err := u.store.known(ctx, u.d.Name)
	if err != nil {
		u.faults = append(u.faults, err)
		return
	}
	for i, f := range files {
		if err := u.one(ctx, f, known, i, len(files)); err != nil {
			u.faults = append(u.faults, err)
		}
		if ctx.Err() != nil || errors.Is(err, ingest.ErrLost) {
			return
		}
	}
}

// one takes a file from the first of its addresses that has it.
func (u *use) one(ctx context.Context, f found, known map[string]copyOf, index, of int) error {
	if len(f.parts) > 0 {
		return u.together(ctx, f, known, index, of)
	}
	for _, at := range f.urls {
		f.name = path.Base(at.Path)
		had, there := known[at.String()]
		if there && u.skips(f, had) {
			return nil
		}
		file, err := u.fetch.Fetch(ctx, u.request(f, at, had))
		switch {
		case errors.Is(err, fetch.ErrNotFound) && f.awaited:
			continue
		case err != nil:
			return err
		case file.Unchanged:
			return u.unchanged(ctx, f, at, had)
		}
		return u.load(ctx, f, file.Path, []piece{{at: at, file: file}}, index, of)
	}
	u.report.Awaited++
	return nil
}

// skips reports whether a file that was fetched before need not be requested again.
func (u *use) skips(f found, had copyOf) bool {
	same := f.final || (f.edition != "" && f.edition == had.mark)
	switch {
	case !same, had.stopped != 0 && u.accept:
		return false
	case had.stopped != 0:
		u.skipStopped(f, had)
	default:
		u.report.Known++
	}
	return true
}

// skipStopped reports a file that the quality gate stopped before: the same edition would be stopped again.
func (u *use) skipStopped(f found, had copyOf) {
	u.report.Stopped = append(u.report.Stopped, fmt.Sprintf(
		"%s was stopped by the quality gate in run %d (see dataops.alerts); use --accept to load it", f.name, had.stopped))
}

func (u *use) request(f found, at *url.URL, had copyOf) fetch.Request {
	r := fetch.Request{URL: at, Name: f.name, Bytes: f.bytes, Known: had.edition, SameHost: true}
	if had.stopped != 0 && u.accept {
		r.Known = fetch.Edition{}
	}
	return r
}

func (u *use) unchanged(ctx context.Context, f found, at *url.URL, had copyOf) error {
	if had.stopped != 0 {
		u.skipStopped(f, had)
	} else {
		u.report.Known++
	}
	if f.edition == had.mark {
		return nil
	}
	return u.store.mark(ctx, u.d.Name, at.String(), f.edition)
}

// piece is a file as it was fetched: a whole, or a part of an archive.
type piece struct {
	at   *url.URL
	had  copyOf
	file fetch.File
}

// load has a document loaded and remembers its files, also when the quality gate stopped it. The copies of one that failed
// otherwise are kept, so that the next try need not fetch them again.
func (u *use) load(ctx context.Context, f found, at string, pieces []piece, index, of int) error {
	err := u.batch.Load(ctx, index, of, ingest.Item{Name: f.name, Path: at, Remote: pieces[0].at, Source: u.d.Name, Extraction: u.extraction})
	doc := u.batch.Last()
	if err != nil && len(doc.Stopped) == 0 {
		return errors.Join(err, keepForRetry(pieces))
	}
	if err != nil {
		u.stopped = append(u.stopped, err)
		u.report.Stopped = append(u.report.Stopped, doc.Error)
	} else {
		u.report.Loaded += len(pieces)
	}
	ctx = context.WithoutCancel(ctx) // what is loaded is loaded
	var faults []error
	rows := make([]fetched, len(pieces))
	for i, p := range pieces {
		rows[i] = fetched{
			SourceName: u.d.Name, Address: p.at.String(), ETag: catalogapi.Text(p.file.Edition.ETag), LastModified: catalogapi.Text(p.file.Edition.LastModified),
			Bytes: &p.file.Bytes, UploadedOn: catalogapi.Text(f.edition), RunID: &doc.RunID, FetchedAt: u.clock.Now(),
		}
		if len(pieces) == 1 { // a part has no checksum of its own
			rows[i].SHA256 = catalogapi.Text(doc.SHA256)
		}
		faults = append(faults, p.file.Release())
	}
	return errors.Join(append(faults, u.store.remember(ctx, rows))...)
}

// Status is a configured source and how it has been doing.
type Status struct {
	Name        string     `json:"name"`
	Title       string     `json:"title,omitempty"`
	Kind        Kind       `json:"kind"`
	Enabled     bool       `json:"enabled"`
	Schedule    string     `json:"schedule,omitempty"` // cron, UTC; absent = by hand
	LastChecked *time.Time `json:"last_checked"`
	LastSuccess *time.Time `json:"last_success"`
	LastError   string     `json:"last_error,omitempty"`
	Failures    int        `json:"failures"` // in a row
	// WarnAfter and StaleAfter are the ages of the last success from which on it is late; 0 = never.
	WarnAfter  time.Duration `json:"-"`
	StaleAfter time.Duration `json:"-"`
}

// List returns every configured source.
func (s *Service) List(ctx context.Context) ([]Status, error) {
	states, err := s.store.states(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Status, len(s.list))
	for i, d := range s.list {
		st := states[d.Name]
		out[i] = Status{
			Name: d.Name, Title: d.Title, Kind: d.Kind, Enabled: d.IsEnabled(), Schedule: d.Schedule,
			LastChecked: clock.UTC(st.LastChecked), LastSuccess: clock.UTC(st.LastSuccess), Failures: int(st.Failures),
		}
		out[i].WarnAfter, out[i].StaleAfter = d.Ages()
		if st.LastError != nil {
			out[i].LastError = *st.LastError
		}
	}
	return out, nil
}
