package bench_test

import (
	"fmt"
	"strconv"
)

// target is one figure that was promised: at least (or, with most, at most) so much; 0 = nothing was promised.
type target struct {
	value float64
	most  bool
}

func least(v float64) target { return target{value: v} }
func most(v float64) target  { return target{value: v, most: true} }

// String is the target as the report prints it.
func (t target) String() string {
	switch {
	case t.value == 0:
		return "–"
	case t.most:
		return "≤ " + strconv.FormatFloat(t.value, 'g', -1, 64)
	case t.value < 1:
		return fmt.Sprintf("≥ %.2f", t.value)
	}
	return "≥ " + strconv.FormatFloat(t.value, 'g', -1, 64)
}

// The outcomes of a comparison; nothing fails by one, for the machine may be busy.
const (
	met    = "met"
	missed = "MISSED"
)

// verdict compares; it is empty where nothing was promised.
func (t target) verdict(have float64) string {
	switch {
	case t.value == 0:
		return ""
	case t.most && have <= t.value, !t.most && have >= t.value:
		return met
	}
	return missed
}

// promise is a line of the targets table in performance.md: its three columns.
type promise struct {
	four, two, ten target // 4 cores at `sec`, 2 cores at `sec`, ten times the market
}

// here is the column for a catalog and a machine. A machine of fewer than four cores is held to the column for two;
// `small` has no column.
func (p promise) here(scale string, cores int) target {
	switch {
	case scale == scale10x:
		return p.ten
	case scale == scaleSEC && cores >= 4:
		return p.four
	case scale == scaleSEC:
		return p.two
	}
	return target{}
}

// The rows of the report that something is promised for, by key. The keys stand in the machine-readable copy.
const (
	keyGPs            = "http/gps"
	keyFunds          = "http/funds"
	keyAutocomplete   = "http/autocomplete"
	keyUnified        = "http/unified"
	keyAggregate      = "http/aggregate"
	keyRelated        = "http/related"
	keyMetrics        = "http/metrics"
	keyPeerGPs        = "postgresql/gps"
	keyPeerFunds      = "postgresql/funds"
	keyPeerAggregate  = "postgresql/aggregate"
	keyPeerRelated    = "postgresql/related"
	keyPeerMetrics    = "postgresql/metrics"
	keyProcGPs        = "process/gps"
	keyProcFunds      = "process/funds"
	keyProcComplete   = "process/autocomplete"
	keyProcUnified    = "process/unified"
	keyProcAggregate  = "process/aggregate-anew"
	keyProcAgain      = "process/aggregate-remembered"
	keyProcRelated    = "process/related"
	keyProcMetrics    = "process/metrics"
	keyProcChanges    = "process/changes"
	keyProcAmendments = "process/amendments"
	keyProcFilings    = "process/filings"
	keyProcProvenance = "process/provenance"
	keyProcAsOf       = "process/as-of"
	keyProcKnown      = "process/known-at"
	keyFacets         = "questions/facets"
	keyGrowth         = "questions/growth"
	keyMarket         = "questions/filings"
	keyPanels         = "questions/panels"
	keyPastGPs        = "questions/past-gps"
	keyPastFunds      = "questions/past-funds"
	keyBuild          = "index/build"
	keyLoadBuild      = "index/load-and-build"
	keyResident       = "index/resident"
	keyRebuild        = "rebuild/p99"
	keyVisible        = "month/visible"
	keyIngestEmpty    = "ingest/empty"
	keyLoad2          = "load/2%-changed"
	keyStart          = "start/make-run"
	keyKeyed          = "keys/share"

	keyCharge         = "money/charge"
	keyCharged        = "money/aggregate"
	keyMetricsCharged = "money/metrics"
	keyHot            = "money/hot"
	keyHotP99         = "money/hot-p99"
	keyRefused        = "money/refused"
	keyFreePath       = "money/free"

	keyDigest       = "mail/digest"
	keyDigestMemory = "mail/memory"
	keyClaim        = "mail/claim"
	keyPixel        = "mail/pixel"
	keyClick        = "mail/click"

	keyWaiters    = "feed/waiters"
	keyRing       = "feed/ring"
	keyTable      = "feed/table"
	keyDeliveries = "feed/deliveries"
	keyIdle       = "feed/idle"

	keyExports   = "admin/search-during-exports"
	keyDashboard = "admin/dashboard"

	keyUnfaceted = "before/facets"
	keyServices  = "before/providers"
)

// promises are the targets table of performance.md, as far as it concerns search, analytics, index and ingestion.
func promises() map[string]promise {
	gps, text, scans := most(0.25), most(0.7), most(0.5)
	index := promise{four: most(2), ten: most(14)}
	peer := promise{four: least(90), ten: least(300)}
	ingestion := promise{four: most(4), ten: most(4)}
	stored := promise{most(3), most(3), most(3)}
	return map[string]promise{
		keyKeyed: {two: least(0.70), four: least(0.50)},

		keyCharge:         {most(2), most(2), most(2)},
		keyCharged:        {two: least(0.25)},
		keyMetricsCharged: {two: least(0.70)},
		keyHot:            {two: least(600)},
		keyHotP99:         {two: most(150)},
		keyRefused:        {two: least(0.80)},
		keyFreePath:       {least(0.97), least(0.97), least(0.97)},

		keyDigest:       {least(200), least(200), least(200)},
		keyDigestMemory: {most(200), most(200), most(200)},
		keyClaim:        {most(20), most(20), most(20)},
		keyPixel:        {least(0.5), least(0.5), least(0.5)},
		keyClick:        {least(0.5), least(0.5), least(0.5)},

		keyWaiters:    {most(200), most(200), most(200)},
		keyTable:      {most(3), most(3), most(3)},
		keyDeliveries: {least(500), least(500), least(500)},
		keyIdle:       {most(10), most(10), most(10)},

		keyExports:   {most(1.5), most(1.5), most(1.5)},
		keyDashboard: {most(50), most(50), most(50)},

		keyUnfaceted: {most(1.01), most(1.01), most(1.01)},
		keyServices:  {most(1.05), most(1.05), most(1.05)},

		keyGPs:            {least(0.60), least(0.50), least(0.35)},
		keyFunds:          {least(0.40), least(0.30), least(0.12)},
		keyAutocomplete:   {least(0.45), least(0.30), least(0.20)},
		keyUnified:        {least(0.35), least(0.25), least(0.12)},
		keyAggregate:      {least(0.30), least(0.20), least(0.10)},
		keyRelated:        {least(0.35), least(0.25), least(0.10)},
		keyMetrics:        {least(0.20), least(0.15), least(0.15)},
		keyPeerGPs:        peer,
		keyPeerFunds:      peer,
		keyPeerAggregate:  peer,
		keyPeerRelated:    peer,
		keyPeerMetrics:    {least(5), least(5), least(5)},
		keyProcGPs:        {four: gps, ten: most(1.5)},
		keyProcFunds:      {four: gps, ten: most(1.5)},
		keyProcComplete:   {four: text, ten: most(4)},
		keyProcUnified:    {four: text, ten: most(4)},
		keyProcAggregate:  {four: scans, ten: most(4)},
		keyProcAgain:      {four: scans, ten: most(4)},
		keyProcRelated:    {four: scans, ten: most(4)},
		keyProcMetrics:    stored,
		keyProcChanges:    stored,
		keyProcAmendments: stored,
		keyProcFilings:    stored,
		keyProcProvenance: stored,
		keyProcAsOf:       stored,
		keyProcKnown:      stored,
		keyFacets:         {most(0.5), most(0.5), most(1)},
		keyGrowth:         {most(1), most(1), most(4)},
		keyMarket:         {most(10), most(10), most(30)},
		keyPanels:         {most(5), most(5), most(5)},
		keyPastGPs:        {most(60), most(60), most(60)},
		keyPastFunds:      {most(60), most(60), most(60)},
		keyBuild:          index,
		keyLoadBuild:      index,
		keyResident:       {four: most(300), ten: most(2048)},
		keyRebuild:        {most(3), most(3), most(4)},
		keyVisible:        {four: most(4), ten: most(20)},
		keyIngestEmpty:    ingestion,
		keyLoad2:          ingestion,
		keyStart:          {four: most(3), two: most(5)},
	}
}
