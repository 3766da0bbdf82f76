package tracking

import (
	"context"
	_ "embed"
	"time"

	"gpatlas/platform/database"
)

// mailRow is a row of notifications.tracked_mails.
type mailRow struct {
	ID        string    `gorm:"column:id;primaryKey"`
	QueueID   int64     `gorm:"column:queue_id"`
	UserID    int64     `gorm:"column:user_id"`
	Kind      string    `gorm:"column:kind"`
	CreatedAt time.Time `gorm:"column:created_at"`
}

// TableName is the table with its schema.
func (mailRow) TableName() string { return "notifications.tracked_mails" }

// linkRow is a row of notifications.tracked_links.
type linkRow struct {
	ID          string `gorm:"column:id;primaryKey"`
	MailID      string `gorm:"column:mail_id"`
	Destination string `gorm:"column:destination"`
	Hidden      bool   `gorm:"column:hidden"`
}

// TableName is the table with its schema.
func (linkRow) TableName() string { return "notifications.tracked_links" }

// hitRow is a row of notifications.hits.
type hitRow struct {
	MailID  string    `gorm:"column:mail_id;primaryKey"`
	LinkID  string    `gorm:"column:link_id;primaryKey"`
	Machine bool      `gorm:"column:machine;primaryKey"`
	Count   int64     `gorm:"column:count"`
	FirstAt time.Time `gorm:"column:first_at"`
	LastAt  time.Time `gorm:"column:last_at"`
}

// TableName is the table with its schema.
func (hitRow) TableName() string { return "notifications.hits" }

// store reads and writes what is tracked.
type store struct{ db *database.DB }

//go:embed track.sql
var trackSQL string

// tracked is a link of a mail of the queue.
type tracked struct {
	QueueID     int64
	ID          string
	MailID      string
	Destination string
	Hidden      bool
}

// track stores mails and their links, and returns all links that the mails have now.
func (s *store) track(ctx context.Context, mails []mailRow, links []tracked, now time.Time) ([]tracked, error) {
	var m struct {
		ids, kinds    []string
		queues, users []int64
	}
	for _, r := range mails {
		m.ids, m.kinds, m.queues, m.users = append(m.ids, r.ID), append(m.kinds, r.Kind), append(m.queues, r.QueueID), append(m.users, r.UserID)
	}
	ids, destinations := make([]string, len(links)), make([]string, len(links))
	queues, hidden := make([]int64, len(links)), make([]bool, len(links))
	for i, l := range links {
		ids[i], queues[i], destinations[i], hidden[i] = l.ID, l.QueueID, l.Destination, l.Hidden
	}
	return database.Select[tracked](ctx, s.db, "track mails", trackSQL, database.Args{
		"mails": m.ids, "queues": m.queues, "users": m.users, "kinds": m.kinds, "now": now,
		"ids": ids, "link_queues": queues, "destinations": destinations, "hidden": hidden,
	})
}

const linkSQL = `SELECT id, mail_id, destination, hidden FROM notifications.tracked_links WHERE id = @id`

// find returns one link; nil for none.
func (s *store) find(ctx context.Context, id string) (*linkRow, error) {
	rows, err := database.Select[linkRow](ctx, s.db, "look for a link", linkSQL, database.Args{"id": id})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// Two processes that count hits of the same mail do so one after the other: each judges by what the other has counted.
const lockSQL = `SELECT id FROM notifications.tracked_mails WHERE id = ANY(@mails::text[]) ORDER BY id FOR NO KEY UPDATE`

//go:embed count.sql
var countSQL string

//go:embed judge.sql
var judgeSQL string

// add counts hits, and classifies their mails' hits.
func (s *store) add(ctx context.Context, hits []hitRow) error {
	columns := struct {
		mails, links  []string
		machines      []bool
		counts        []int64
		firsts, lasts []time.Time
	}{}
	for _, h := range hits {
		columns.mails, columns.links = append(columns.mails, h.MailID), append(columns.links, h.LinkID)
		columns.machines, columns.counts = append(columns.machines, h.Machine), append(columns.counts, h.Count)
		columns.firsts, columns.lasts = append(columns.firsts, h.FirstAt), append(columns.lasts, h.LastAt)
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		known, err := database.Values[string](ctx, s.db, "lock tracked mails", lockSQL, database.Args{"mails": columns.mails})
		if err != nil || len(known) == 0 {
			return err
		}
		_, err = database.Run(ctx, s.db, "count opens and clicks", countSQL, database.Args{
			"mails": columns.mails, "links": columns.links, "machines": columns.machines, "counts": columns.counts,
			"firsts": columns.firsts, "lasts": columns.lasts, "soon": soon,
		})
		if err != nil {
			return err
		}
		_, err = database.Run(ctx, s.db, "judge opens and clicks", judgeSQL, database.Args{
			"mails": known, "hit_mails": columns.mails, "links": columns.links, "firsts": columns.firsts, "lasts": columns.lasts,
			"burst": burst, "around": around,
		})
		return err
	})
}

func (s *store) removeOf(ctx context.Context, userID int64) error {
	return database.Failure("remove tracked mails", s.db.From(ctx).Where("user_id = ?", userID).Delete(&mailRow{}).Error)
}

func (s *store) removeBefore(ctx context.Context, before time.Time) (int64, error) {
	tx := s.db.From(ctx).Where("created_at < ?", before).Delete(&mailRow{})
	return tx.RowsAffected, database.Failure("remove old tracked mails", tx.Error)
}

// Exported is a tracked mail in the export of an account.
type Exported struct {
	Kind       string    `json:"kind"`
	CreatedAt  time.Time `json:"created_at"`
	Opens      int64     `json:"opens"`
	Clicks     int64     `json:"clicks"`
	ByMachines int64     `json:"by_machines"`
}

const exportedSQL = `SELECT t.kind, t.created_at,
	coalesce(sum(h.count) FILTER (WHERE NOT h.machine AND h.link_id = ''), 0)::bigint AS opens,
	coalesce(sum(h.count) FILTER (WHERE NOT h.machine AND h.link_id <> ''), 0)::bigint AS clicks,
	coalesce(sum(h.count) FILTER (WHERE h.machine), 0)::bigint AS by_machines
FROM notifications.tracked_mails t LEFT JOIN notifications.hits h ON h.mail_id = t.id
WHERE t.user_id = @user
GROUP BY t.id
ORDER BY t.created_at, t.id`

func (s *store) exported(ctx context.Context, userID int64) ([]Exported, error) {
	rows, err := database.Select[Exported](ctx, s.db, "export tracked mails", exportedSQL, database.Args{"user": userID})
	for i := range rows {
		rows[i].CreatedAt = rows[i].CreatedAt.UTC()
	}
	return rows, err
}
