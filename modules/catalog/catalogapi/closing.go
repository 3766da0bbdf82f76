package catalogapi

import "time"

// ClosedBetween is when a fund closed: no filing states the day.
type ClosedBetween struct {
	_ struct{} `nullable:"true"` // a pointer to it may be null

	After  string `json:"after" format:"date" doc:"Day of the last filing that names the fund." example:"2025-03-28"`
	Before string `json:"before" format:"date" doc:"Day of the manager's first complete list of funds after that filing. If an operator has closed the fund, the first day of the correction." example:"2026-03-27"`
}

// NewClosedBetween is when a fund closed; nil if without is zero, because it is open or that is not known.
func NewClosedBetween(last, without time.Time) *ClosedBetween {
	if without.IsZero() {
		return nil
	}
	return &ClosedBetween{After: last.Format(time.DateOnly), Before: without.Format(time.DateOnly)}
}
