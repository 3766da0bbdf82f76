package marketintel

import (
	"time"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
)

// Samples are invented data for tests of market intel.
func Samples() render.Samples {
	return render.Samples{kind.Market: func(now time.Time) any {
		var r report
		r.From, r.Until = weekBefore(now).days()
		r.Registrations = list{[]row{
			{CRD: "900031", Name: "Ninefold Harbor Advisers LLC", Path: "/gps/900031", Word: "Boston, MA", Amount: 410e6},
			{CRD: "900032", Name: "Quillwater Partners", Path: "/gps/900032", Word: "London, United Kingdom", Amount: -1},
		}, 2}
		r.Changes = list{[]row{{CRD: "900001", Name: "Harbor Ridge Capital Partners LLC", Path: "/gps/900001", Before: 12e8, Amount: 29e8}}, 1}
		r.Launches = list{[]row{
			{Name: "Harbor Ridge Growth Fund III, L.P.", Path: "/funds/805-9000000013", Word: "growth", Amount: 350e6},
		}, 14}
		return r
	}}
}
