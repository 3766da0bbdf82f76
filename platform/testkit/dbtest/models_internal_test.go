package dbtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"
)

type named string

type goodModel struct {
	ID      int64
	Kind    named
	Note    *string
	Tags    []string `gorm:"type:text[];serializer:json"`
	Hash    []byte
	Ratio   *float64
	Seen    time.Time
	Deleted gorm.DeletedAt
	Skipped int `gorm:"-"`
}

func (goodModel) TableName() string { return "shop.things" }

type goodView struct {
	ID   int64
	Note string
}

func (goodView) TableName() string { return "shop.pub_things" }

type badModel struct {
	ID      int32    // too narrow
	Kind    *string  // never null
	Note    string   // may be null
	Tags    []string `gorm:"type:int[];serializer:json"`
	Ratio   *bool
	Missing string
}

func (badModel) TableName() string { return "shop.things" }

type lostModel struct{ ID int64 }

func (lostModel) TableName() string { return "shop.nothing" }

// Guarantee: the checker accepts what fits and names each thing that does not.
func TestModelFaults(t *testing.T) {
	t.Parallel()
	db := New(t)
	g := db.From(t.Context())
	require.NoError(t, g.Exec(`CREATE SCHEMA shop;
		CREATE TABLE shop.things (id bigint PRIMARY KEY, kind text NOT NULL, note text, tags text[], hash bytea NOT NULL,
			ratio double precision, seen timestamptz NOT NULL, deleted timestamptz, unnamed int NOT NULL DEFAULT 0);
		CREATE VIEW shop.pub_things AS SELECT id, note FROM shop.things`).Error)
	CheckModels(t, db, &goodModel{}, &goodView{})
	faults, err := modelFaults(t.Context(), g, &badModel{}, &lostModel{})
	require.NoError(t, err)
	require.Equal(t, []string{
		"badModel.ID (shop.things.id): a int32 cannot hold int8",
		"badModel.Kind (shop.things.kind): the column may not be null, but *string may be nil",
		"badModel.Note (shop.things.note): the column may be null, and string would turn that into a zero value",
		"badModel.Tags (shop.things.tags): declared as int[], the column is _text",
		"badModel.Ratio (shop.things.ratio): a bool cannot hold float8",
		"badModel.Missing (shop.things.missing): there is no such column",
		"lostModel: there is no table shop.nothing",
	}, faults)
	_, err = modelFaults(t.Context(), g, 7)
	require.ErrorContains(t, err, "parse model int")
}
