package title_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"gpatlas/modules/people/internal/title"
	"gpatlas/platform/testkit/realdata"
)

// TestRealTitles measures how many of the titles in a real roster have no role. They are the further titles of chief compliance
// officers, which is why few are investment professionals'.
func TestRealTitles(t *testing.T) {
	t.Parallel()
	book, err := excelize.OpenFile(realdata.File(t, "sec-roster/ia070124-exempt.xlsx"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, book.Close()) })
	rows, err := book.Rows(book.GetSheetName(0))
	require.NoError(t, err)
	column, all, byRole := -1, 0, map[title.Role]int{}
	for rows.Next() {
		cells, err := rows.Columns()
		require.NoError(t, err)
		if column < 0 {
			for i, header := range cells {
				if header == "Chief Compliance Officer Other Titles" {
					column = i
				}
			}
			require.GreaterOrEqual(t, column, 0)
			continue
		}
		if column < len(cells) && strings.TrimSpace(cells[column]) != "" {
			all++
			byRole[title.Read(cells[column])]++
		}
	}
	require.NoError(t, rows.Close())
	require.Greater(t, all, 1_500)
	share := float64(byRole[title.Other]) / float64(all)
	t.Logf("%d titles: %v; %.1f%% have no role", all, byRole, 100*share)
	require.Less(t, share, 0.2, "more titles than before have no role")
	require.Greater(t, share, 0.05, "a member or a compliance officer has none")
}
