package identity

import "time"

// suppression is a row of people.suppressions.
type suppression struct {
	KeyHash   string    `gorm:"column:key_hash;primaryKey"`
	PersonUID string    `gorm:"column:person_uid;primaryKey"`
	OfUID     string    `gorm:"column:of_uid;primaryKey"` // UID of the post by the rules, if the person was merged of several
	CRD       *string   `gorm:"column:crd"`               // of the post whose hash it is; nil, like RuleUID, in old rows
	RuleUID   *string   `gorm:"column:rule_uid"`          // of the person by the rules alone
	CreatedAt time.Time `gorm:"column:created_at"`

	OverrideID int64 `gorm:"column:override_id"`
}

// TableName is the table with its schema.
func (suppression) TableName() string { return "people.suppressions" }

// hold is a row of people.suppressed_at: a post that suppressions hide. Old rows have only the adviser.
type hold struct {
	CRD       string `gorm:"column:crd;primaryKey"`
	SightUID  string `gorm:"column:sight_uid;primaryKey"`
	PersonUID string `gorm:"column:person_uid;primaryKey"`
	RuleUID   string `gorm:"column:rule_uid"`
	NameHash  string `gorm:"column:name_hash"`
}

// TableName is the table with its schema.
func (hold) TableName() string { return "people.suppressed_at" }

// unit is a row of people.units: the unit under which a person is bought.
type unit struct {
	UID  string `gorm:"column:uid;primaryKey"`
	N    int32  `gorm:"column:n;primaryKey"`
	Unit string `gorm:"column:unit"`
}

// TableName is the table with its schema.
func (unit) TableName() string { return "people.units" }

// origin is a row of people.origins.
type origin struct {
	UID       string `gorm:"column:uid;primaryKey"`
	FormerUID string `gorm:"column:former_uid;primaryKey"`
}

// TableName is the table with its schema.
func (origin) TableName() string { return "people.origins" }
