package ledger_test

import (
	"testing"

	"gpatlas/platform/charge/chargetest"
)

func TestMeterConforms(t *testing.T) {
	t.Parallel()
	chargetest.Conform(t, func(tb testing.TB) chargetest.Adapter {
		tb.Helper()
		return setup(tb)
	})
}
