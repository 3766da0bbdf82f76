package identity

import "time"

// ownerRow is one row of Schedule A or B, in the order of filings.
type ownerRow struct {
	CRD           string
	Accession     string
	FilingDate    time.Time
	Schedule      string
	EntityType    *string
	Name          string
	Title         string
	AcquiredYear  int32
	AcquiredMonth int32
	OwnerID       string
}

// noticeRow is one related person of one Form D notice of a fund of the adviser, in the order of notices.
type noticeRow struct {
	CRD           string
	Accession     string
	FilingDate    time.Time
	FirstName     string
	MiddleName    string
	LastName      string
	City          string
	State         string
	Clarification string
	Relationships []string
}

// post is a row of people.posts: one person's post at one adviser.
type post struct {
	CRD        string     `gorm:"column:crd;primaryKey"`
	SightUID   string     `gorm:"column:sight_uid;primaryKey"`
	PersonUID  string     `gorm:"column:person_uid"`
	Number     *string    `gorm:"column:number"`
	LastKey    string     `gorm:"column:last_key"`
	FirstKey   string     `gorm:"column:first_key"`
	FullName   string     `gorm:"column:full_name"`
	Title      *string    `gorm:"column:title"`
	AcquiredOn *time.Time `gorm:"column:acquired_on;type:date"`
	NamedFrom  time.Time  `gorm:"column:named_from;type:date"`
	NamedUntil time.Time  `gorm:"column:named_until;type:date"`
	LeftBefore *time.Time `gorm:"column:left_before;type:date"`
	Standing   string     `gorm:"column:standing"`
	Source     string     `gorm:"column:source"`
	City       *string    `gorm:"column:city"`
	State      *string    `gorm:"column:state"`
	SightedIn  string     `gorm:"column:sighted_in"`
	RuleUID    string     `gorm:"column:rule_uid"` // of the person by the rules alone, without decisions

	AcquiredYearOnly bool `gorm:"column:acquired_year_only"` // of acquired_on, no month is stated

	JoinedAfter   *time.Time `gorm:"column:joined_after;type:date"`
	JoinedBefore  time.Time  `gorm:"column:joined_before;type:date"`
	JoinedMonthly bool       `gorm:"column:joined_monthly"`

	names []string // uids that other names of the person would have at the adviser, for purchases under them
}

// TableName is the table with its schema.
func (post) TableName() string { return "people.posts" }

// firm is a row of people.firms: which filings of an adviser name people.
type firm struct {
	CRD            string     `gorm:"column:crd;primaryKey"`
	Schedules      int32      `gorm:"column:schedules"`
	SchedulesFrom  *time.Time `gorm:"column:schedules_from;type:date"`
	SchedulesUntil *time.Time `gorm:"column:schedules_until;type:date"`
	Notices        int32      `gorm:"column:notices"`
	NoticesUntil   *time.Time `gorm:"column:notices_until;type:date"`
}

// TableName is the table with its schema.
func (firm) TableName() string { return "people.firms" }

// The standings of people.posts.
const (
	standingTeam   = "team"
	standingAlumni = "alumni"
	standingLapsed = "lapsed"
)

// The sources of people.posts.
const (
	sourceSchedules = "schedules"
	sourceFormD     = "form_d"
)
