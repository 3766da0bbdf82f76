package quality

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"gpatlas/platform/database"
)

// row is dataops.quality_metrics.
type row struct {
	Day        time.Time `gorm:"primaryKey;type:date"`
	Metric     string    `gorm:"primaryKey"`
	Dimension  string    `gorm:"primaryKey"`
	Affected   int64
	Total      int64
	Value      float64
	Sample     []byte `gorm:"type:jsonb"`
	ComputedAt time.Time
}

// TableName is the table with its schema.
func (row) TableName() string { return "dataops.quality_metrics" }

type store struct{ db *database.DB }

// found is how much a metric finds of one dimension.
type found struct {
	Dimension string
	Affected  int64
}

// affected is how much a metric finds, by dimension.
func (s *store) affected(ctx context.Context, m Metric, args database.Args) ([]found, error) {
	statement := "SELECT dimension, sum(weight)::bigint AS affected FROM (" + m.rows + ") r GROUP BY dimension ORDER BY affected DESC, dimension"
	return database.Select[found](ctx, s.db, "measure "+m.Name, statement, args)
}

// list lists rows that a metric finds, those of the most weight first.
func (s *store) list(ctx context.Context, m Metric, dimension string, limit int, args database.Args) ([]Row, error) {
	args["dimension"], args["limit"] = dimension, limit
	const order = ") r WHERE @dimension = '' OR dimension = @dimension ORDER BY weight DESC, dimension, crd, detail LIMIT @limit"
	return database.Select[Row](ctx, s.db, "list the rows of "+m.Name, "SELECT dimension, crd, detail FROM ("+m.rows+order, args)
}

func (s *store) total(ctx context.Context, m Metric, args database.Args) (int64, error) {
	if m.total == "" {
		return 0, nil
	}
	n, err := database.Values[int64](ctx, s.db, "count what "+m.Name+" looks at", m.total, args)
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

// replace keeps the figures of a metric of a day.
func (s *store) replace(ctx context.Context, day time.Time, metric string, rows []row) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.db.From(ctx).Where("day = ? AND metric = ?", day, metric).Delete(&row{}).Error; err != nil {
			return database.Failure("replace a metric", err)
		}
		if len(rows) == 0 {
			return nil
		}
		return database.Failure("replace a metric", s.db.From(ctx).Create(&rows).Error)
	})
}

//go:embed sql/latest.sql
var latestSQL string

// latest returns the newest figures of every metric, with those of the day before them.
func (s *store) latest(ctx context.Context) ([]figure, error) {
	list, err := database.Select[figure](ctx, s.db, "read the metrics", latestSQL, nil)
	for i := range list {
		list[i].ComputedAt = list[i].ComputedAt.UTC()
		if err == nil {
			err = json.Unmarshal(list[i].Sample, &list[i].Rows)
		}
	}
	return list, err
}

// since returns the figures from a day on.
func (s *store) since(ctx context.Context, day time.Time) ([]row, error) {
	var rows []row
	err := s.db.From(ctx).Where("day >= ?", day).Order("metric, dimension, day").Find(&rows).Error
	return rows, database.Failure("read the series of the metrics", err)
}
