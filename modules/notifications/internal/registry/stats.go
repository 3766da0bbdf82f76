package registry

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
)

// Figures count the results of mails.
//
// Spec: not shown. Rates count people only, and only countable emails: those of category account are not tracked.
type Figures struct {
	Queued         int64    `json:"queued" doc:"Emails that wait to be sent." example:"2"`
	Sending        int64    `json:"sending" doc:"Emails that are being sent." example:"0"`
	Sent           int64    `json:"sent" doc:"Emails that the mail server has accepted." example:"120"`
	Failed         int64    `json:"failed" doc:"Emails that could not be sent." example:"1"`
	Suppressed     int64    `json:"suppressed" doc:"Emails that were not sent because the recipient does not want them, gets no more of the kind on that day, or no longer exists, or because the notification is disabled." example:"7"`
	Tracked        int64    `json:"tracked" doc:"Sent emails whose opens and clicks are counted." example:"120"`
	Opened         int64    `json:"opened" doc:"Sent emails that a person opened. An email of which a person followed a link counts as opened." example:"48"`
	Clicked        int64    `json:"clicked" doc:"Sent emails of which a person followed a link." example:"21"`
	MachineOpened  int64    `json:"machine_opened" doc:"Sent emails whose images were fetched by a link scanner or a mail proxy. Not part of opened." example:"55"`
	MachineClicked int64    `json:"machine_clicked" doc:"Sent emails of which a link scanner followed a link. Not part of clicked." example:"9"`
	OpenRate       *float64 `json:"open_rate" doc:"opened in percent of tracked, to two decimals. A lower bound, because mail proxies hide people. Null if no email was tracked." example:"40"`
	ClickRate      *float64 `json:"click_rate" doc:"clicked in percent of tracked, to two decimals. Null if no email was tracked." example:"17.5"`
}

// SchemaName is its name in the OpenAPI document.
func (Figures) SchemaName() string { return "NotificationFigures" }

// KindFigures are the figures of one notification.
type KindFigures struct {
	ID       string `json:"id" doc:"ID of the notification. It may have been deleted since." example:"activity_digest"`
	Category string `json:"category" doc:"Its category." example:"activity_digest"`
	Figures
	LastSentAt *time.Time `json:"last_sent_at" doc:"When the last email was sent (UTC). Null if none was." example:"2026-11-20T11:00:04.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (KindFigures) SchemaName() string { return "NotificationStats" }

// DayFigures are the figures of the mails that were queued on one day.
type DayFigures struct {
	Date httpapi.Date `json:"date" doc:"Day in UTC." example:"2026-11-20"`
	Figures
}

// SchemaName is its name in the OpenAPI document.
func (DayFigures) SchemaName() string { return "NotificationDay" }

// CategoryFigures are the figures of one category.
type CategoryFigures struct {
	Category string `json:"category" doc:"Category." example:"activity_digest"`
	Figures
}

// SchemaName is its name in the OpenAPI document.
func (CategoryFigures) SchemaName() string { return "NotificationCategoryFigures" }

// Period is a number of days (UTC) until today.
type Period struct {
	Days int          `json:"days" doc:"Number of days, today included." example:"7"`
	From httpapi.Date `json:"from" doc:"First day (UTC)." example:"2026-11-14"`
	To   httpapi.Date `json:"to" doc:"Last day (UTC): today." example:"2026-11-20"`
}

// SchemaName is its name in the OpenAPI document.
func (Period) SchemaName() string { return "NotificationPeriod" }

// KindStats are the figures of one notification over some days.
type KindStats struct {
	Period
	KindFigures
	ByDay []DayFigures `json:"by_day" doc:"Emails by the day on which they were queued, the oldest day first."`
}

// SchemaName is its name in the OpenAPI document.
func (KindStats) SchemaName() string { return "NotificationKindStats" }

// Overview is the results of all mails over some days.
type Overview struct {
	Period
	Totals     Figures           `json:"totals" doc:"All emails."`
	ByCategory []CategoryFigures `json:"by_category" doc:"By category; all categories."`
	ByKind     []KindFigures     `json:"by_notification" doc:"By notification, those without an email left out."`
	ByDay      []DayFigures      `json:"by_day" doc:"By the day on which they were queued, the oldest day first."`
}

// SchemaName is its name in the OpenAPI document.
func (Overview) SchemaName() string { return "NotificationOverview" }

// Summary is the state of the registry.
type Summary struct {
	Total      int               `json:"total" doc:"Notifications." example:"6"`
	Enabled    int               `json:"enabled" doc:"Enabled notifications." example:"5"`
	Disabled   int               `json:"disabled" doc:"Disabled notifications." example:"1"`
	BuiltIn    int               `json:"built_in" doc:"Notifications that the service sends by itself." example:"5"`
	Added      int               `json:"added" doc:"Notifications that administrators have added." example:"1"`
	ByCategory []CategorySummary `json:"by_category" doc:"By category; all categories."`
	UpdatedAt  *time.Time        `json:"updated_at" doc:"When the registry was last changed (UTC), deletions aside. Null if it was never changed." example:"2026-11-20T09:30:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Summary) SchemaName() string { return "NotificationSummary" }

// CategorySummary counts the notifications of a category.
type CategorySummary struct {
	Category string `json:"category" doc:"Category." example:"product"`
	Total    int    `json:"total" doc:"Notifications." example:"2"`
	Enabled  int    `json:"enabled" doc:"Enabled notifications." example:"1"`
}

// SchemaName is its name in the OpenAPI document.
func (CategorySummary) SchemaName() string { return "NotificationCategorySummary" }

// counted are the mails of a kind that were queued on a day.
type counted struct {
	Kind, Category                                          string
	Day                                                     time.Time
	Queued, Sending, Sent, Failed, Suppressed               int64
	Tracked, Opened, Clicked, MachineOpened, MachineClicked int64
	LastSentAt                                              *time.Time
}

//go:embed figures.sql
var figuresSQL string

func (s *store) figures(ctx context.Context, id *string, since *time.Time) ([]counted, error) {
	return database.Select[counted](ctx, s.db, "count notifications", figuresSQL, database.Args{"kind": id, "since": since})
}

func (f *Figures) add(c counted) {
	f.Queued += c.Queued
	f.Sending += c.Sending
	f.Sent += c.Sent
	f.Failed += c.Failed
	f.Suppressed += c.Suppressed
	f.Tracked += c.Tracked
	f.Opened += c.Opened
	f.Clicked += c.Clicked
	f.MachineOpened += c.MachineOpened
	f.MachineClicked += c.MachineClicked
	f.OpenRate, f.ClickRate = percent(f.Opened, f.Tracked), percent(f.Clicked, f.Tracked)
}

func percent(part, whole int64) *float64 {
	if whole == 0 {
		return nil
	}
	return new(math.Round(float64(part)/float64(whole)*1e4) / 100)
}

func (k *KindFigures) add(c counted) {
	k.Figures.add(c)
	if c.LastSentAt != nil && (k.LastSentAt == nil || c.LastSentAt.After(*k.LastSentAt)) {
		k.LastSentAt = new(c.LastSentAt.UTC())
	}
}

// period is the last days, today included.
func (s *Service) period(days int) Period {
	today := s.now().Truncate(24 * time.Hour)
	return Period{days, httpapi.Date{Time: today.AddDate(0, 0, 1-days)}, httpapi.Date{Time: today}}
}

// byDay are the figures of each day of a period.
func (p Period) byDay(rows []counted) []DayFigures {
	list := make([]DayFigures, p.Days)
	for i := range list {
		list[i].Date = httpapi.Date{Time: p.From.AddDate(0, 0, i)}
	}
	for _, c := range rows {
		if at := int(c.Day.Sub(p.From.Time) / (24 * time.Hour)); at >= 0 && at < len(list) { // a row of tomorrow comes from a clock that is ahead
			list[at].add(c)
		}
	}
	return list
}

// Stats returns the figures of all kinds since the beginning.
func (s *Service) Stats(ctx context.Context) ([]KindFigures, error) {
	return s.stats(ctx, nil)
}

func (s *Service) stats(ctx context.Context, since *time.Time) ([]KindFigures, error) {
	kinds, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := s.store.figures(ctx, nil, since)
	if err != nil {
		return nil, err
	}
	list := make([]KindFigures, 0, len(kinds))
	for _, n := range kinds {
		f := KindFigures{ID: n.ID, Category: n.Category}
		for _, c := range rows {
			if c.Kind == n.ID {
				f.add(c)
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// KindStats returns the figures of one kind over the last days.
func (s *Service) KindStats(ctx context.Context, id string, days int) (*KindStats, error) {
	n, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	p := s.period(days)
	rows, err := s.store.figures(ctx, &id, &p.From.Time)
	if err != nil {
		return nil, err
	}
	stats := &KindStats{Period: p, KindFigures: KindFigures{ID: id, Category: n.Category}, ByDay: p.byDay(rows)}
	for _, c := range rows {
		stats.add(c)
	}
	return stats, nil
}

// Overview returns the figures of all mails over the last days.
func (s *Service) Overview(ctx context.Context, days int) (*Overview, error) {
	p := s.period(days)
	rows, err := s.store.figures(ctx, nil, &p.From.Time)
	if err != nil {
		return nil, err
	}
	o := &Overview{Period: p, ByKind: []KindFigures{}, ByDay: p.byDay(rows)}
	for _, category := range kind.Categories() {
		o.ByCategory = append(o.ByCategory, CategoryFigures{Category: category})
	}
	for _, c := range rows {
		o.Totals.add(c)
		for i := range o.ByCategory {
			if o.ByCategory[i].Category == c.Category {
				o.ByCategory[i].add(c)
			}
		}
		at, found := slices.BinarySearchFunc(o.ByKind, c.Kind, func(k KindFigures, id string) int { return strings.Compare(k.ID, id) })
		if !found {
			o.ByKind = slices.Insert(o.ByKind, at, KindFigures{ID: c.Kind, Category: c.Category})
		}
		o.ByKind[at].add(c)
	}
	return o, nil
}

// Summary counts what is in the registry.
func (s *Service) Summary(ctx context.Context) (*Summary, error) {
	kinds, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	sum := &Summary{Total: len(kinds)}
	for _, category := range kind.Categories() {
		c := CategorySummary{Category: category}
		for _, n := range kinds {
			if n.Category != category {
				continue
			}
			c.Total++
			if n.Enabled {
				c.Enabled++
				sum.Enabled++
			}
			if n.BuiltIn {
				sum.BuiltIn++
			}
			if n.UpdatedAt != nil && (sum.UpdatedAt == nil || n.UpdatedAt.After(*sum.UpdatedAt)) {
				sum.UpdatedAt = n.UpdatedAt
			}
		}
		sum.ByCategory = append(sum.ByCategory, c)
	}
	sum.Disabled, sum.Added = sum.Total-sum.Enabled, sum.Total-sum.BuiltIn
	return sum, nil
}

// tableDays is the period of the figures in the table.
const tableDays = 7

// Table is the registry as a table for terminals.
func (s *Service) Table(ctx context.Context) (string, error) {
	kinds, err := s.List(ctx)
	if err != nil {
		return "", err
	}
	p := s.period(tableDays)
	figures, err := s.stats(ctx, &p.From.Time)
	if err != nil {
		return "", err
	}
	return tableOf(kinds, figures), nil
}

func tableOf(kinds []Notification, figures []KindFigures) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(w, "ID\tCATEGORY\tENABLED\tMAX/DAY\tSENT/%dD\tOPENED\tCLICKED\tNAME\n", tableDays)
	for _, n := range kinds {
		enabled := "no"
		if n.Enabled {
			enabled = "yes"
		}
		var f KindFigures
		if at := slices.IndexFunc(figures, func(f KindFigures) bool { return f.ID == n.ID }); at >= 0 {
			f = figures[at]
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\n", n.ID, n.Category, enabled, n.MaxPerDay, f.Sent, rate(f.OpenRate), rate(f.ClickRate), n.Name)
	}
	_ = w.Flush()
	return out.String()
}

func rate(percent *float64) string {
	if percent == nil {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", *percent)
}
