package name

import (
	"strings"

	"gpatlas/modules/catalog/catalogapi"
)

// IsEntity reports whether a filed person's name is that of a firm or trust.
func IsEntity(filed string) bool { return catalogapi.IsFirm(strings.Fields(Fold(filed))) }
