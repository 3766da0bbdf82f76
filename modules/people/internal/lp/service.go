package lp

import (
	"context"
	"fmt"
	"log/slog"

	"gpatlas/modules/people/peopleapi"
	"gpatlas/platform/apperr"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/stage"
)

// Service keeps LPs and answers who they are.
type Service struct {
	store *store
	clock clock.Clock
	log   *slog.Logger
}

// NewService works on db.
func NewService(db *database.DB, clk clock.Clock, log *slog.Logger) *Service {
	return &Service{store: &store{db}, clock: clk, log: log}
}

// Load implements peopleapi.Lists.
func (s *Service) Load(ctx context.Context, list peopleapi.List) (peopleapi.ListResult, error) {
	var r peopleapi.ListResult
	if list.Before == nil {
		list.Before = []int64{} // nil would be null in SQL, which is neither equal nor different
	}
	err := s.store.exclusively(ctx, func(ctx context.Context) (err error) {
		rows, err := s.store.stage(ctx, list.Rows)
		if err != nil {
			return err
		}
		read := peopleapi.ListRead{Rows: rows}
		if read.Brought, read.Lacking, err = s.store.takenBack(ctx, list); err != nil {
			return err
		}
		if list.Accept != nil {
			if read.From, err = s.store.sources(ctx); err != nil {
				return err
			}
			if read.Changed, err = s.store.compared(ctx); err != nil {
				return err
			}
			if read.Renamed, err = s.store.renamed(ctx); err != nil {
				return err
			}
			if read.RenamedFunds, err = s.store.movedFunds(ctx); err != nil {
				return err
			}
			if err := list.Accept(ctx, read); err != nil {
				return err
			}
		}
		if list.Whole != nil && !list.Whole() {
			if read.Lacking, err = nil, s.store.keep(ctx); err != nil {
				return err
			}
		}
		r, err = s.store.merge(ctx, list, s.clock.Now(), read.Lacking)
		return err
	})
	if err != nil {
		return peopleapi.ListResult{}, err
	}
	return r, nil
}

// Knows reports whether there is an LP of this ID.
func (s *Service) Knows(ctx context.Context, id int64) (bool, error) {
	_, err := s.store.get(ctx, id)
	if err != nil && apperr.From(err).Kind == apperr.KindNotFound {
		return false, nil
	}
	return err == nil, err
}

// Match matches the managers of all investments again if the catalog or the lists have changed since the last time. It may be
// called any number of times.
func (s *Service) Match(ctx context.Context) (Matched, error) {
	ctx = database.WithoutLimit(ctx)
	var m Matched
	err := s.store.exclusively(ctx, func(ctx context.Context) error {
		publication, due, err := s.store.due(ctx)
		if err != nil || !due {
			return err
		}
		defer stage.Begin(ctx, "matching investments of LPs")()
		if err := s.store.noteBefore(ctx); err != nil {
			return err
		}
		if m, err = s.match(ctx); err != nil {
			return err
		}
		if err := s.store.matched(ctx, publication); err != nil {
			return err
		}
		return s.store.logChanges(ctx)
	})
	if err != nil {
		return Matched{}, fmt.Errorf("match the investments of LPs: %w", err)
	}
	if m.Investments > 0 {
		s.log.InfoContext(ctx, "investments of LPs matched", slog.Int("investments", m.Investments), slog.Any("by_method", m.ByMethod), slog.Int64("changed", m.Changed))
	}
	return m, nil
}
