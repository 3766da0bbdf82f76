package identity

import "time"

// suppression is a row of people.suppressions.
type suppression struct {
	KeyHash   string    `gorm:"column:key_hash;primaryKey"`
	PersonUID string    `gorm:"column:person_uid"`
	Reason    string    `gorm:"column:reason"`
	CreatedAt time.Time `gorm:"column:created_at"`
}

// TableName is where suppressions are kept.
func (suppression) TableName() string { return "people.suppressions" }

// merge is a row of people.merges.
type merge struct {
	UID       string    `gorm:"column:uid;primaryKey"`
	IntoUID   string    `gorm:"column:into_uid"`
	Reason    string    `gorm:"column:reason"`
	CreatedAt time.Time `gorm:"column:created_at"`
}

// TableName is where merges are kept.
func (merge) TableName() string { return "people.merges" }

// split is a row of people.splits.
type split struct {
	UID       string    `gorm:"column:uid;primaryKey"`
	CRD       string    `gorm:"column:crd;primaryKey"`
	NewUID    string    `gorm:"column:new_uid"`
	KeptUID   string    `gorm:"column:kept_uid"` // what is bought afterward of whoever keeps the uid
	Reason    string    `gorm:"column:reason"`
	CreatedAt time.Time `gorm:"column:created_at"`
}

// TableName is where splits are kept.
func (split) TableName() string { return "people.splits" }

// origin is a row of people.origins.
type origin struct {
	UID       string `gorm:"column:uid;primaryKey"`
	FormerUID string `gorm:"column:former_uid;primaryKey"`
}

// TableName is where it is kept under which uids a person was known before a split.
func (origin) TableName() string { return "people.origins" }
