package hiring

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gpatlas/modules/people/internal/board"
	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
)

// Add configures a board of an adviser in the catalog, and reports whether it is new. A board that was loaded from files is
// fetched from then on.
func (s *Service) Add(ctx context.Context, b board.Board) (bool, error) {
	if err := hinted(s.store.exists(ctx, b.CRD)); err != nil {
		return false, err
	}
	added := false
	err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
		if added, err = s.store.add(ctx, b, false, s.clock.Now()); err == nil && !added {
			added, err = s.store.online(ctx, b)
		}
		if err != nil || !added {
			return err
		}
		return s.audit.Write(ctx, audit.Change{Action: "board.add", Subject: "board " + b.Name()})
	})
	return added, err
}

// addSet adds the boards that a setting names. A board whose adviser is not in the catalog waits until the adviser is.
func (s *Service) addSet(ctx context.Context) error {
	for _, b := range s.boards {
		_, err := s.Add(ctx, b)
		if e, ok := errors.AsType[*apperr.Error](err); ok && e.Kind == apperr.KindNotFound {
			s.log.WarnContext(ctx, "a job board of the settings belongs to no adviser in the catalog", slog.String("crd", b.CRD))
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Remove removes a board and its postings.
func (s *Service) Remove(ctx context.Context, b board.Board) error {
	return s.db.InTx(ctx, func(ctx context.Context) error {
		removed, err := s.store.remove(ctx, b)
		if err != nil {
			return err
		}
		if !removed {
			return apperr.NotFound("CRD %s has no board %s %s: gpatlas people board list shows the boards", b.CRD, b.Vendor, b.Token)
		}
		return s.audit.Write(ctx, audit.Change{Action: "board.remove", Subject: "board " + b.Name()})
	})
}

// Configured is a board as an operator sees it.
type Configured struct {
	board.Board

	FromFile    bool
	CheckedAt   *time.Time
	SucceededAt *time.Time
	RetryAt     *time.Time
	Failure     string
	Open        int
}

// BoardsOf lists the boards of an adviser in the catalog.
func (s *Service) BoardsOf(ctx context.Context, crd string) ([]Configured, error) {
	list, err := s.Boards(ctx, crd)
	if err == nil && len(list) == 0 {
		err = hinted(s.store.exists(ctx, crd))
	}
	return list, err
}

// hinted adds to the error about an unknown CRD number where CRD numbers are found.
func hinted(err error) error {
	if e, ok := errors.AsType[*apperr.Error](err); ok && e.Kind == apperr.KindNotFound {
		return apperr.NotFound("%s: GET /v1/gps?q=NAME finds the CRD number of a manager", e.Error())
	}
	return err
}

// Boards lists the boards of an adviser, or all boards for "".
func (s *Service) Boards(ctx context.Context, crd string) ([]Configured, error) {
	rows, err := s.store.boards(ctx, crd)
	if err != nil {
		return nil, err
	}
	list := make([]Configured, len(rows))
	for i := range rows {
		r := &rows[i]
		open, err := s.store.open(ctx, r.board())
		if err != nil {
			return nil, err
		}
		list[i] = Configured{Board: r.board(), FromFile: r.FromFile, CheckedAt: r.CheckedAt, SucceededAt: r.SucceededAt, RetryAt: r.RetryAt, Open: len(open)}
		if r.Failure != nil {
			list[i].Failure = *r.Failure
		}
	}
	return list, nil
}
