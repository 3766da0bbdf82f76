package ledger

import "gpatlas/platform/module"

// Part is what the slice offers.
func (m *Meter) Part() module.Part { return module.Part{Models: Models()} }
