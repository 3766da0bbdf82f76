package sample_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Boards are written as their vendors answer, on several days, so that postings come and go.
func TestBoardsAreRecorded(t *testing.T) {
	t.Parallel()
	perBoard, sizes := map[string][]int{}, 0
	for _, path := range theFiles(t).summary.Boards {
		parts := strings.Split(strings.TrimSuffix(filepath.Base(path), ".json"), ".")
		require.Len(t, parts, 4)
		require.Contains(t, theSmallOne(t).byCRD, parts[0])
		_, err := time.Parse(time.DateOnly, parts[3])
		require.NoError(t, err)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		var postings []map[string]any
		switch parts[1] {
		case "lever":
			require.NoError(t, json.Unmarshal(text, &postings))
		default:
			var body struct{ Jobs []map[string]any }
			require.NoError(t, json.Unmarshal(text, &body))
			postings = body.Jobs
		}
		key := strings.Join(parts[:2], ".")
		perBoard[key] = append(perBoard[key], len(postings))
		sizes += len(postings)
	}
	require.Greater(t, len(perBoard), 5)
	require.Greater(t, sizes, 50)
	changing := 0
	for board, list := range perBoard {
		require.Len(t, list, 4, board)
		if list[0] != list[3] {
			changing++
		}
	}
	require.Positive(t, changing)
}
