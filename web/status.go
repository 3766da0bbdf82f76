package web

import (
	"context"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/httpapi"
)

// Status is the answer of /status.
type Status struct {
	Status    string     `json:"status" enum:"ready,loading" doc:"loading until the first catalog is in memory." example:"ready"`
	Service   string     `json:"service" doc:"Always gpatlas." example:"gpatlas"`
	Version   string     `json:"version" doc:"Version of the API." example:"1.1.0"`
	Build     string     `json:"build" doc:"Version or commit of the running program." example:"v1.1.0"`
	Timestamp time.Time  `json:"timestamp" doc:"When the response was made." example:"2026-11-20T12:00:00.000000Z"`
	Data      StatusData `json:"data" doc:"Age and size of the data."`
}

// StatusData is the age and the extent of the served data.
type StatusData struct {
	Publication      int64           `json:"publication" doc:"Number of the newest publication served." example:"12"`
	LoadedAt         *time.Time      `json:"loaded_at" doc:"When the served catalog was built. Null while loading." example:"2026-11-20T11:58:00.000000Z"`
	AgeSeconds       *int64          `json:"age_seconds" doc:"Seconds since loaded_at. Null while loading. It grows as long as there is no newer publication, or the database is unavailable." example:"120"`
	LatestFilingDate *string         `json:"latest_filing_date" format:"date" doc:"Date of the newest filing of any source. Null if there are no filings." example:"2026-10-31"`
	Advisers         int             `json:"advisers" doc:"The same count as total_advisers of /v1/stats." example:"300"`
	Funds            int             `json:"funds" doc:"Funds that are not closed: the same count as total_funds of /v1/stats." example:"1800"`
	ClosedFunds      int             `json:"closed_funds" doc:"Funds that are no longer reported. Searches include them only on request." example:"200"`
	Coverage         []MonthCoverage `json:"coverage" doc:"Filings by month and source, oldest first. Form D counts every loaded notice, matched to a fund or not."`
}

// MonthCoverage counts the filings of one month that came from one source.
type MonthCoverage struct {
	Month   string `json:"month" pattern:"^[0-9]{4}-[0-9]{2}$" doc:"The month, YYYY-MM." example:"2026-10"`
	Source  string `json:"source" enum:"fund_list,roster,iapd_feed,adv_archive,advw,form_d" doc:"Kind of document that the filings came from." example:"adv_archive"`
	Filings int64  `json:"filings" doc:"Filings of the month that are loaded." example:"41"`
}

func status(o Options) httpapi.Route {
	return httpapi.Get("/status", "get-status", func(context.Context, *struct{}) (*httpapi.Reply[Status], error) {
		now := o.Clock.Now().UTC().Truncate(time.Second)
		s := Status{Status: "loading", Service: Service, Version: Version, Build: o.Build, Timestamp: now, Data: StatusData{Coverage: []MonthCoverage{}}}
		if o.Data != nil {
			s.Data = describeData(o.Data.Freshness(), now)
		}
		if s.Data.LoadedAt != nil {
			s.Status = "ready"
		}
		return &httpapi.Reply[Status]{Body: s}, nil
	}, httpapi.Volatile(),
		httpapi.Summary("Get the status of the data"),
		httpapi.Describe("Returns the age and the size of the served catalog, and the months that each source covers. The response comes from memory, so this operation works while the database is unavailable."))
}

func describeData(f catalogapi.Freshness, now time.Time) StatusData {
	d := StatusData{Publication: f.Publication, Advisers: f.Advisers, Funds: f.Funds, ClosedFunds: f.ClosedFunds, Coverage: make([]MonthCoverage, 0, len(f.Coverage))}
	if !f.BuiltAt.IsZero() {
		at := f.BuiltAt.UTC().Truncate(time.Second)
		age := max(0, int64(now.Sub(at)/time.Second))
		d.LoadedAt, d.AgeSeconds = &at, &age
	}
	if !f.LatestFilingDate.IsZero() {
		day := f.LatestFilingDate.UTC().Format(time.DateOnly)
		d.LatestFilingDate = &day
	}
	for _, c := range f.Coverage {
		d.Coverage = append(d.Coverage, MonthCoverage{Month: c.Month.UTC().Format("2006-01"), Source: string(c.Source), Filings: c.Count})
	}
	return d
}
