package digest

import (
	"time"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
)

// Samples are invented data for tests of the digest.
func Samples() render.Samples {
	return render.Samples{kind.Digest: func(now time.Time) any {
		filed := now.AddDate(0, 0, -1)
		return data{Since: filed, Filings: 9, Funds: 1, MoreGPs: 1, GPs: []gp{
			{CRD: "900001", Name: "Harbor Ridge Capital Partners LLC", News: []news{
				{What: "ADV/A", Day: filed}, {Fund: true, What: "Harbor Ridge Growth Fund III, L.P.", Day: filed}, {What: "D", Day: filed.AddDate(0, 0, -3)},
			}, More: 5},
			{CRD: "900014", Name: "Mossgate & Wren Management LP", News: []news{{What: "D/A", Day: filed.AddDate(0, 0, -8)}}},
		}}
	}}
}
