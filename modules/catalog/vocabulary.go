package catalog

import (
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/catalog/internal/index"
	"gpatlas/modules/catalog/internal/vocab"
)

// newVocabulary hands the closed vocabularies to other modules, and what is filed beside them.
func newVocabulary(holder *index.Holder) catalogapi.Vocabulary { return words{holder: holder} }

type words struct {
	vocab.Words

	holder *index.Holder
}

// FilesCountry asks the newest snapshot.
func (w words) FilesCountry(name string) bool {
	snapshot, _ := w.holder.Snapshot() // nil while there is none, which knows every name
	return snapshot.FilesCountry(name)
}
