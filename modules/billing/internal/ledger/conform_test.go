package ledger_test

import (
	"testing"

	"gpatlas/platform/testkit/chargetest"
)

func TestMeterConforms(t *testing.T) {
	t.Parallel()
	chargetest.Conform(t, func(tb testing.TB) chargetest.Adapter {
		tb.Helper()
		return setup(tb)
	})
}
