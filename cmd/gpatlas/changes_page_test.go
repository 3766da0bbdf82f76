package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/changes"
	"gpatlas/platform/testkit/dbtest"
)

// Guarantee: the commands of docs/changes.md work on the sample, and its cursors expire where the page says so.
func TestChangesPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "changes.md"))
	require.NoError(t, err)
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(page, -1)
	require.Len(t, blocks, 3)
	db := sampleDB.New(t)
	h := startHouse(t, dbtest.URL(t, db), dbtest.RedisURL(t))
	said := make([]string, len(blocks))
	for i, block := range blocks {
		said[i] = h.shell(t, string(block[1]))
	}
	require.Contains(t, said[0], `"kind": "`+catalogapi.ChangeLoaded+`"`)
	require.Equal(t, "0\n", said[1])
	require.Contains(t, said[2], "aum_change: The assets under management of a GP have changed.\n")

	cursor := h.shell(t, `curl -sS "$URL/v1/changes" | jq -j .meta.next_cursor`)
	require.NoError(t, changes.Restart(t.Context(), db))
	var gone answer
	require.Eventually(t, func() bool { // the process hears of it
		gone = caller{t: t, base: h.base}.call("GET", "/v1/changes?cursor="+cursor, "")
		return gone.status == http.StatusGone
	}, 10*time.Second, time.Millisecond)
	again := text(t, gone.body, "oldest_cursor")
	require.Equal(t, http.StatusOK, caller{t: t, base: h.base}.call("GET", "/v1/changes?cursor="+again, "").status)
}
