package dataops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"gpatlas/modules/dataops/internal/extraction"
	"gpatlas/modules/dataops/internal/fetch"
	"gpatlas/modules/dataops/internal/ingest"
	"gpatlas/modules/dataops/internal/source"
)

// SourceStatus is a configured source and how it has been doing.
type SourceStatus = source.Status

// IngestSources fetches what configured sources have that is new, loads it, and writes the summary. The error is nil when
// every source and document went well; with a non-nil error the summary still lists those that did.
func IngestSources(ctx context.Context, deps Deps, names []string, opts IngestOptions) (Summary, error) {
	f, err := deps.fetcher()
	if err != nil {
		return Summary{}, err
	}
	return deps.ingestSources(ctx, f, names, opts, extraction.How{Trigger: extraction.ByCommand, Accept: opts.Accept})
}

func (d Deps) ingestSources(ctx context.Context, f *fetch.Client, names []string, opts IngestOptions, how extraction.How) (Summary, error) {
	list, err := d.Config.sources()
	if err != nil {
		return Summary{}, err
	}
	if err := d.Config.CheckRequest(names, nil, opts.Accept); err != nil {
		return Summary{}, err
	}
	service, err := d.service(f, opts.Accept, false)
	if err != nil {
		return Summary{}, err
	}
	progress := d.progress(opts)
	batch, err := service.Begin(ctx, progress)
	if err != nil {
		progress.Close()
		return Summary{}, err
	}
	sources := source.New(list, source.NewStore(d.DB), f, d.Clock, d.Log, extraction.NewRecorder(d.DB, how, d.Clock), len(opts.Accept) > 0)
	reports, fault := useAll(batch.Watch(ctx), sources, names, batch)
	fault = errors.Join(fault, batch.Follow(ctx, d.follow))
	progress.Close()
	sum, _ := batch.End() // the sources' errors include those of the documents
	sum.Sources = reports
	return sum, errors.Join(fault, opts.write(sum))
}

// useAll uses one source after the other. If one fails, the others are still used, unless the connection to the database was lost.
func useAll(ctx context.Context, sources *source.Service, names []string, batch *ingest.Batch) (reports []ingest.SourceReport, err error) {
	for _, name := range names {
		report, fault := sources.Run(ctx, name, batch)
		reports, err = append(reports, report), errors.Join(err, fault)
		if ctx.Err() != nil || errors.Is(fault, ingest.ErrLost) {
			break
		}
	}
	return reports, err
}

// ListSources returns every configured source and how it has been doing.
func ListSources(ctx context.Context, deps Deps) ([]SourceStatus, error) {
	list, err := deps.Config.sources()
	if err != nil {
		return nil, err
	}
	return source.New(list, source.NewStore(deps.DB), nil, deps.Clock, deps.Log, nil, false).List(ctx)
}

// WriteSources writes sources as a table for people, or as JSON.
func WriteSources(out io.Writer, list []SourceStatus, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "NAME\tSCHEDULE (UTC)\tLAST SUCCESS\tLAST ERROR")
	for _, s := range list {
		schedule, success := s.Schedule, "never"
		switch {
		case !s.Enabled:
			schedule = "switched off"
		case schedule == "":
			schedule = "by hand"
		}
		if s.LastSuccess != nil {
			success = s.LastSuccess.Format(time.DateTime)
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Name, schedule, success, firstLine(s))
	}
	return w.Flush()
}

// errorShown is how much of an error the table shows; JSON has all of it.
const errorShown = 100

func firstLine(s SourceStatus) string {
	if s.LastError == "" {
		return ""
	}
	text, _, _ := strings.Cut(s.LastError, "\n")
	if runes := []rune(text); len(runes) > errorShown {
		text = string(runes[:errorShown]) + "…"
	}
	return fmt.Sprintf("%s (%d in a row)", text, s.Failures)
}
