package hiring

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/httpapi"
)

// Posting is an open position.
type Posting struct {
	ID             string    `json:"id" doc:"ID of the posting: vendor, board and the vendor's ID. It stays the same while the posting is on the board." example:"greenhouse:harborridge:4012345"`
	Title          string    `json:"title" doc:"Title of the position, as on the job board." example:"Senior Associate, Private Credit"`
	Role           *string   `json:"role" nullable:"true" enum:"partner,md,vp,associate,analyst" doc:"Role, read from the title. Null if the title names none of these." example:"associate"`
	Department     *string   `json:"department" nullable:"true" enum:"investment,operations,ir,legal,finance" doc:"Department, read from the board's department, else from the title. Null if neither names one of these." example:"investment"`
	DepartmentName *string   `json:"department_name" nullable:"true" doc:"Department as the board names it." example:"Private Credit"`
	Location       *string   `json:"location" nullable:"true" doc:"Location as the board names it. Several are joined by \"; \"." example:"Boston, MA"`
	EmploymentType *string   `json:"employment_type" nullable:"true" doc:"Kind of employment as the board names it." example:"Full-time"`
	URL            *string   `json:"url" nullable:"true" doc:"Page of the posting." example:"https://boards.greenhouse.io/harborridge/jobs/4012345"`
	PostedAt       time.Time `json:"posted_at" doc:"When the position was posted (UTC)." example:"2026-11-02T14:00:00.000000Z"`
	PostedAtSource string    `json:"posted_at_source" enum:"board,first_seen" doc:"board: the board states when the position was posted. first_seen: it does not, and posted_at is when the position was first seen." example:"board"`
	FirstSeen      time.Time `json:"first_seen" doc:"When a listing of the board first had the posting." example:"2026-11-02T18:41:07.000000Z"`
	LastSeen       time.Time `json:"last_seen" doc:"When a listing last had it." example:"2026-11-21T18:41:09.000000Z"`
	Source         string    `json:"source" enum:"greenhouse,lever,lever-eu,ashby" doc:"Vendor of the board." example:"greenhouse"`
}

// SchemaName is its name in the OpenAPI document.
func (Posting) SchemaName() string { return "JobPosting" }

// Velocity is how fast an adviser hires.
type Velocity struct {
	Openings *int64  `json:"openings_per_30_days" nullable:"true" doc:"Positions opened in the 30 days before as_of, those that are closed again included. Null until the boards have been observed for 30 days." example:"4"`
	Closings *int64  `json:"closings_per_30_days" nullable:"true" doc:"Positions closed in that time." example:"2"`
	Open     int     `json:"open_positions" doc:"Positions that are open now, of all roles and departments." example:"9"`
	Since    *string `json:"observed_since" nullable:"true" format:"date-time" doc:"Since when all boards of the manager have been observed without a gap of more than 14 days." example:"2026-09-14T18:41:07.000000Z"`
	Reason   *string `json:"reason" nullable:"true" doc:"Why the figures are null."`
}

// SchemaName is its name in the OpenAPI document.
func (Velocity) SchemaName() string { return "HiringVelocity" }

// Source is a board of the adviser.
type Source struct {
	Vendor      string  `json:"vendor" enum:"greenhouse,lever,lever-eu,ashby" doc:"Who runs the job board." example:"greenhouse"`
	Board       string  `json:"board" doc:"Name of the board at the vendor." example:"harborridge"`
	URL         string  `json:"url" doc:"Public page of the board." example:"https://boards.greenhouse.io/harborridge"`
	State       string  `json:"state" enum:"ok,pending,failing,recorded" doc:"ok: the last attempt to read the board succeeded. pending: it has not been read yet. failing: the last attempt failed; what was known before is shown. recorded: it was loaded from files, and is not read again." example:"ok"`
	LastChecked *string `json:"last_checked" nullable:"true" format:"date-time" doc:"Last attempt to read the board." example:"2026-11-21T18:41:09.000000Z"`
	LastSuccess *string `json:"last_success" nullable:"true" format:"date-time" doc:"Last attempt that succeeded." example:"2026-11-21T18:41:09.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Source) SchemaName() string { return "JobBoard" }

// state is everything that is known about an adviser's positions.
type state struct {
	boards   []boardRow
	postings []Posting
	asOf     *time.Time // of the oldest of the boards' last listings
	velocity Velocity
}

// read returns the state of an adviser's boards, the newest postings first.
func (s *Service) read(ctx context.Context, crd string) (*state, error) {
	if err := s.store.exists(ctx, crd); err != nil {
		return nil, err
	}
	var st state
	err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
		if st.boards, err = s.store.boards(ctx, crd); err != nil || len(st.boards) == 0 {
			return err
		}
		rows, err := s.store.openOf(ctx, crd)
		if err != nil {
			return err
		}
		st.postings = make([]Posting, len(rows))
		for i := range rows {
			st.postings[i] = rows[i].shown()
		}
		slices.SortFunc(st.postings, func(a, b Posting) int {
			return cmp.Or(b.PostedAt.Compare(a.PostedAt), cmp.Compare(a.ID, b.ID))
		})
		st.velocity.Open = len(rows)
		return s.measure(ctx, crd, &st)
	})
	return &st, err
}

const (
	noBoard   = "No job board of the manager is configured."
	notRead   = "A job board of the manager has not been read yet."
	tooRecent = "The job boards have been observed for less than 30 days."
)

// measure counts the openings of the 30 days before the oldest of the boards' last listings. It needs 30 days of observation of
// every board, because postings in a board's first listing may have been open for long.
//
// Spec: not shown; the velocity covers all positions regardless of filters, and closings are reported beside it.
func (s *Service) measure(ctx context.Context, crd string, st *state) error {
	var since *time.Time
	for i := range st.boards {
		b := &st.boards[i]
		if b.SucceededAt == nil {
			st.velocity.Reason, since = catalogapi.Text(notRead), nil
			continue
		}
		if st.asOf == nil || b.SucceededAt.Before(*st.asOf) {
			st.asOf = b.SucceededAt
		}
		if st.velocity.Reason == nil && (since == nil || b.ObservedSince.After(*since)) {
			since = b.ObservedSince
		}
	}
	if since == nil {
		return nil
	}
	st.velocity.Since = instant(since)
	from := st.asOf.Add(-window)
	if since.After(from) {
		st.velocity.Reason = catalogapi.Text(tooRecent)
		return nil
	}
	m, err := s.store.changes(ctx, crd, from, *st.asOf)
	st.velocity.Openings, st.velocity.Closings = &m.Opened, &m.Closed
	return err
}

func (r *postingRow) shown() Posting {
	p := Posting{
		ID: r.Vendor + ":" + r.Token + ":" + r.PostingID, Title: r.Title, Role: catalogapi.Text(roleOf(r.Title)), Department: catalogapi.Text(departmentOf(r.Department, r.Title)),
		DepartmentName: catalogapi.Text(r.Department), Location: catalogapi.Text(r.Location), EmploymentType: catalogapi.Text(r.EmploymentType), URL: catalogapi.Text(r.URL),
		PostedAt: r.FirstSeen.UTC(), PostedAtSource: "first_seen", FirstSeen: r.FirstSeen.UTC(), LastSeen: r.LastSeen.UTC(), Source: r.Vendor,
	}
	if r.PostedAt != nil {
		p.PostedAt, p.PostedAtSource = r.PostedAt.UTC(), "board"
	}
	return p
}

func (r *boardRow) shown() Source {
	s := Source{
		Vendor: r.Vendor, Board: r.Token, URL: r.board().Page(), State: "ok", LastChecked: instant(r.CheckedAt), LastSuccess: instant(r.SucceededAt),
	}
	switch {
	case r.FromFile:
		s.State = "recorded"
	case r.Failure != nil:
		s.State = "failing"
	case r.SucceededAt == nil:
		s.State = "pending"
	}
	return s
}

func instant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := httpapi.FormatInstant(*t)
	return &text
}
