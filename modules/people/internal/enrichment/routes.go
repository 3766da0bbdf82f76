package enrichment

import "gpatlas/platform/module"

// Part is what the slice offers.
func (s *Service) Part() module.Part { return module.Part{Models: Models()} }
