package hiring

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gpatlas/modules/people/internal/board"
)

// recorded is a listing in a file.
type recorded struct {
	path  string
	board board.Board
	at    time.Time
}

// Load applies recorded listings, the oldest first, without the network: see people.LoadBoards. It returns how many postings
// are then open on each board.
func (s *Service) Load(ctx context.Context, paths []string) (map[board.Board]int, error) {
	files := make([]recorded, 0, len(paths))
	for _, p := range paths {
		b, day, err := board.OfFile(p)
		if err != nil {
			return nil, err
		}
		at := s.clock.Now()
		if noon := day.Add(12 * time.Hour); !day.IsZero() && noon.Before(at) {
			at = noon
		}
		files = append(files, recorded{p, b, at})
	}
	slices.SortStableFunc(files, func(a, b recorded) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.path, b.path)) })
	open := make(map[board.Board]int)
	for _, f := range files {
		if err := s.load(ctx, f); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(f.path), err)
		}
		ids, err := s.store.open(ctx, f.board)
		if err != nil {
			return nil, err
		}
		open[f.board] = len(ids)
	}
	return open, nil
}

func (s *Service) load(ctx context.Context, f recorded) error {
	body, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	list, err := board.Parse(f.board.Vendor, body)
	if err != nil {
		return err
	}
	if err := s.store.exists(ctx, f.board.CRD); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.store.add(ctx, f.board, true, f.at); err != nil {
			return err
		}
		_, err := s.apply(ctx, f.board, board.Listing{Postings: list}, f.at)
		return err
	})
}
