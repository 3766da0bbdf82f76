package quality

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/dataops/internal/alert"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
)

// Job measures the quality of the data.
const Job = "dataops.measure_quality"

const (
	measureTimeout = 20 * time.Minute
	sampleRows     = 10
	dimensionsMax  = 20 // of a day: the reasons of unusable rows may be many
)

// Row is a row that a metric finds. Rows name no person.
type Row struct {
	Dimension string `json:"dimension" doc:"Field, reason or kind; empty where the metric has none." example:""`
	CRD       string `json:"crd" doc:"GP that the row is about; empty where it is about a document." example:"998243"`
	Detail    string `json:"detail" doc:"What was found." example:"AUM 1200000000 became 120000000 on 2026-11-03"`
}

// SchemaName is its name in the OpenAPI document.
func (Row) SchemaName() string { return "QualityRow" }

// figure is a stored value of a metric, with the one of the day before.
type figure struct {
	Metric, Dimension string
	Day, ComputedAt   time.Time
	Affected, Total   int64
	Value             float64
	Before            *float64
	Sample            []byte
	Rows              []Row `db:"-"`
}

// Service measures.
type Service struct {
	store   *store
	metrics []Metric
	alerts  *alert.Store
	clock   clock.Clock
}

// NewService works on db with metrics as the settings have them.
func NewService(db *database.DB, metrics []Metric, clk clock.Clock) *Service {
	return &Service{&store{db}, metrics, alert.NewStore(db), clk}
}

func argsOf(day time.Time) database.Args {
	return database.Args{"day": day, "from": day, "until": day.AddDate(0, 0, 1)}
}

// Measure measures today, and for counts of runs also yesterday, because runs may have continued after yesterday's last
// measurement. It may run twice: figures of the day are replaced. Then it raises and closes alerts.
func (s *Service) Measure(ctx context.Context) error {
	day := clock.Today(s.clock)
	for _, m := range s.metrics {
		days := []time.Time{day}
		if m.scope == runs {
			days = []time.Time{day.AddDate(0, 0, -1), day}
		}
		for _, d := range days {
			if err := s.measure(ctx, m, d); err != nil {
				return err
			}
		}
	}
	return s.alarm(ctx)
}

// measure keeps the figures of one metric of one day. A day without a run has none.
func (s *Service) measure(ctx context.Context, m Metric, day time.Time) error {
	args := argsOf(day)
	list, err := s.store.affected(ctx, m, args)
	if err != nil {
		return err
	}
	total, err := s.store.total(ctx, m, args)
	if err != nil {
		return err
	}
	if m.scope == runs && total == 0 && len(list) == 0 {
		return s.store.replace(ctx, day, m.Name, nil)
	}
	var rows []row
	for _, f := range complete(m, list) {
		sample := []Row{}
		if f.Affected > 0 {
			if sample, err = s.store.list(ctx, m, f.Dimension, sampleRows, args); err != nil {
				return err
			}
		}
		text, err := json.Marshal(sample)
		if err != nil {
			return apperr.Internal(err)
		}
		r := row{Day: day, Metric: m.Name, Dimension: f.Dimension, Affected: f.Affected, Total: total, Value: float64(f.Affected), Sample: text, ComputedAt: s.clock.Now()}
		if m.total != "" {
			r.Value = float64(f.Affected) / float64(max(total, 1))
		}
		rows = append(rows, r)
	}
	return s.store.replace(ctx, day, m.Name, rows)
}

// complete adds the figures that are zero, and the sum.
func complete(m Metric, list []found) []found {
	if !m.summed {
		for _, field := range nullFields {
			if !slices.ContainsFunc(list, func(f found) bool { return f.Dimension == field[0] }) {
				list = append(list, found{Dimension: field[0]})
			}
		}
		return list
	}
	sum := found{}
	for _, f := range list {
		sum.Affected += f.Affected
	}
	list = slices.DeleteFunc(list, func(f found) bool { return f.Dimension == "" })
	return append([]found{sum}, list[:min(len(list), dimensionsMax)]...)
}

// crosses reports whether a figure is above the threshold of its metric, and by what.
func (m Metric) crosses(f figure) (bool, float64) {
	value := f.Value
	if m.rise {
		if f.Before == nil {
			return false, 0
		}
		value -= *f.Before
	}
	if m.summed && f.Dimension != "" || m.Threshold < 0 {
		return false, value
	}
	return value > m.Threshold, value
}

// seenDays is how long a metric of the catalog stays silent about rows that an operator has seen to: most metrics look back as far.
const seenDays = 31

// since is the first day of measurement from which on a resolved alert still speaks for the rows of a figure. What is counted or
// compared by day speaks for its day alone.
func (m Metric) since(day time.Time) time.Time {
	if m.scope == runs || m.rise {
		return day
	}
	return day.AddDate(0, 0, 1-seenDays)
}

// alarm raises an alert for each figure that is above its threshold, and closes those of figures that are not.
func (s *Service) alarm(ctx context.Context) error {
	list, err := s.store.latest(ctx)
	if err != nil {
		return err
	}
	for _, f := range list {
		m, ok := s.find(f.Metric)
		if !ok || m.summed && f.Dimension != "" || m.Name == "rows_read" {
			continue
		}
		now := s.clock.Now()
		crossed, value := m.crosses(f)
		if !crossed {
			if err := s.alerts.Close(ctx, m.Name, "", f.Dimension, "the metric is below its threshold again", now); err != nil {
				return err
			}
			continue
		}
		reason := fmt.Sprintf("%s of %s is %s, above its threshold of %s: %d of %d", m.Name, f.Day.Format(time.DateOnly), short(value), short(m.Threshold), f.Affected, f.Total)
		if f.Dimension != "" {
			reason = f.Dimension + ": " + reason
		}
		if len(f.Rows) > 0 {
			reason += "; the first: " + f.Rows[0].CRD + " " + f.Rows[0].Detail
		}
		measured := &alert.Measured{Value: value, Day: f.Day, Since: m.since(f.Day)}
		if err := s.alerts.Raise(ctx, []alert.Raise{{Kind: m.Name, Subject: f.Dimension, Reason: reason, At: now, Measured: measured}}); err != nil {
			return err
		}
	}
	return nil
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

func (s *Service) find(name string) (Metric, bool) {
	i := slices.IndexFunc(s.metrics, func(m Metric) bool { return m.Name == name })
	if i < 0 {
		return Metric{}, false
	}
	return s.metrics[i], true
}

// Rows lists what a metric finds today.
func (s *Service) Rows(ctx context.Context, name, dimension string, limit int) ([]Row, error) {
	m, ok := s.find(name)
	if !ok {
		names := make([]string, len(s.metrics))
		for i, m := range s.metrics {
			names[i] = m.Name
		}
		return nil, apperr.Invalid(apperr.FieldError{Field: "metric", Message: fmt.Sprintf("%q is not one of %s", name, strings.Join(names, ", "))})
	}
	return s.store.list(ctx, m, dimension, limit, argsOf(clock.Today(s.clock)))
}

// Later is the job that measures after an ingestion: those of ten minutes are one.
func Later(now time.Time) jobs.Job {
	const step = 10 * time.Minute
	at := now.UTC().Truncate(step).Add(step)
	return jobs.Job{Type: Job, RunAt: at, TaskID: jobs.Key(Job, "after:"+at.Format("2006-01-02T15:04"))}
}
