package load

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/fold"
)

const (
	roleCount = len(catalogapi.ServiceRoles)
	roleBits  = catalogapi.ServiceRoleBits
)

// services writes which firms serve the open funds of the affected advisers, and which filings state others than the filing before. It
// reports how many funds differ from what was known.
func (s *session) services(ctx context.Context) (changed int64, err error) {
	roles := "ARRAY['" + strings.Join(catalogapi.ServiceRoles[:], "', '") + "']"
	if err := s.run(ctx, "service_names", "$roles$", roles, "$bits$", strconv.Itoa(roleBits)); err != nil {
		return 0, err
	}
	var w serviceWriter
	if err := collect(ctx, s, "services", w.add); err != nil {
		return 0, err
	}
	w.endAdviser()
	if err := s.copyIn(ctx, "d_service", w.services.reader()); err != nil {
		return 0, err
	}
	if err := s.copyIn(ctx, "d_provider_change", w.changes.reader()); err != nil {
		return 0, err
	}
	if err := s.run(ctx, "keep_services"); err != nil {
		return 0, err
	}
	tag, err := s.do(ctx, "write_services")
	if err != nil {
		return 0, err
	}
	return tag.RowsAffected(), s.analyzeGrown(ctx, "catalog.fund_services", tag.RowsAffected(), "catalog.provider_names", "catalog.provider_changes")
}

// servedFund is a fund in a filing, with the firms that serve it.
type servedFund struct {
	CRD        string    `gorm:"column:crd"`
	Accession  string    `gorm:"column:accession"`
	FilingDate time.Time `gorm:"column:filing_date"`
	Silent     []string  `gorm:"column:silent"` // of the filing
	FundID     string    `gorm:"column:fund_id"`
	Services   []int32   `gorm:"column:services"`
	Current    bool      `gorm:"column:current"`

	Auditors       []string `gorm:"column:auditors"`
	AnnualAudit    *bool    `gorm:"column:annual_audit"`
	NoAuditorTable bool     `gorm:"column:no_auditor_table"` // what an earlier filing states stays
}

// serviceWriter takes the funds in filings, adviser by adviser, in the order of the filings.
type serviceWriter struct {
	services, changes rowBuffer

	crd    string
	filing filingServices
	newest [roleCount]string // by role: the newest filing that states it; panel/edition.sql finds the same (TestListsAgreeWithSearches)
	funds  map[string]*serviceCourse
}

// serviceCourse is what is known of the services of a fund after some filings.
type serviceCourse struct {
	current bool // it is an open fund of the adviser
	by      [roleCount]struct {
		stated    bool
		accession string // of the newest filing that states the role of this fund
		names     []int32
	}
}

// filingServices is one filing with the services that differ from those before.
type filingServices struct {
	accession string
	on        time.Time
	stated    [roleCount]bool
	funds     int
	changes   []serviceChange
}

type serviceChange struct {
	role          int
	before, after []int32
	funds         []string
}

// add takes the next fund.
func (w *serviceWriter) add(f *servedFund) {
	if f.CRD != w.crd {
		w.endAdviser()
		w.crd, w.funds = f.CRD, map[string]*serviceCourse{}
	}
	if f.Accession != w.filing.accession {
		w.endFiling()
		w.filing = filingServices{accession: f.Accession, on: f.FilingDate}
		for role := 1; role < roleCount; role++ { // auditors are stated by fund
			table := catalogapi.OfPart(catalogapi.TableProviders, catalogapi.ServiceRoles[role])
			if w.filing.stated[role] = !slices.Contains(f.Silent, table); w.filing.stated[role] {
				w.newest[role] = f.Accession
			}
		}
	}
	if f.FundID == "" {
		return
	}
	w.filing.funds++
	course := w.funds[f.FundID]
	if course == nil {
		course = &serviceCourse{}
		w.funds[f.FundID] = course
	}
	course.current = f.Current
	known := fold.Audited(f.Auditors, f.AnnualAudit) != nil
	w.filing.stated[0] = known && !f.NoAuditorTable
	course.by[0].stated = course.by[0].stated && (known || f.NoAuditorTable)
	for role, stated := range w.filing.stated {
		if !stated {
			continue
		}
		var names []int32
		for _, service := range f.Services {
			if int(service)&(1<<roleBits-1) == role {
				names = append(names, service>>roleBits)
			}
		}
		was := &course.by[role]
		if was.stated && !slices.Equal(was.names, names) {
			w.filing.note(role, was.names, names, f.FundID)
		}
		was.stated, was.accession, was.names = true, f.Accession, names
	}
}

// note adds a fund to the change that it shares with other funds of the filing.
func (f *filingServices) note(role int, before, after []int32, fund string) {
	for i := range f.changes {
		c := &f.changes[i]
		if c.role == role && slices.Equal(c.before, before) && slices.Equal(c.after, after) {
			c.funds = append(c.funds, fund)
			return
		}
	}
	f.changes = append(f.changes, serviceChange{role, before, after, []string{fund}})
}

func (w *serviceWriter) endFiling() {
	r := &w.changes
	for seq, c := range w.filing.changes {
		r.begin()
		r.plain(w.crd)
		r.plain(w.filing.accession)
		r.integer(int64(seq))
		r.date(w.filing.on)
		r.integer(int64(c.role))
		r.numbers(c.before)
		r.numbers(c.after)
		r.list(c.funds)
		r.integer(int64(w.filing.funds))
		r.end()
	}
	w.filing = filingServices{}
}

// endAdviser writes the services of the open funds. A role is known from the newest filing that states it; if
// that filing does not name the fund, the role is unknown.
func (w *serviceWriter) endAdviser() {
	w.endFiling()
	r := &w.services
	for fund, course := range w.funds {
		if !course.current {
			continue
		}
		stated, services := 0, []int32{}
		for role, by := range course.by {
			if !by.stated || role > 0 && w.newest[role] != by.accession {
				continue
			}
			stated |= 1 << role
			for _, name := range by.names {
				services = append(services, name<<roleBits|int32(role)) // #nosec G115 -- below roleCount
			}
		}
		r.begin()
		r.plain(fund)
		r.integer(int64(stated))
		r.numbers(services)
		r.end()
	}
	w.newest, w.funds = [roleCount]string{}, nil
}

// numbers appends an array.
func (r *rowBuffer) numbers(values []int32) {
	r.buf = append(r.buf, '{')
	for i, v := range values {
		if i > 0 {
			r.buf = append(r.buf, ',')
		}
		r.buf = strconv.AppendInt(r.buf, int64(v), 10)
	}
	r.buf = append(r.buf, '}', '\t')
}
