package index

import "gpatlas/modules/catalog/internal/text"

// Of places that have no code, and so are in no closed list, the catalog knows those that were filed, by former
// advisers too: a filter must not become a fault when the last adviser of a place withdraws. Before the first snapshot (nil)
// every name may be one.

// FilesCountry reports whether an adviser's main office is in a country of that name.
func (s *Snapshot) FilesCountry(name string) bool {
	return s == nil || s.gps.isWord[GPCountry].Get(text.Normalize(name)) != nil || s.former != nil && s.former.FilesCountry(name)
}

// FilesOrgState reports whether an adviser is organized under the law of a state or place of that name.
func (s *Snapshot) FilesOrgState(name string) bool {
	return s == nil || s.gps.isWord[GPOrgState].Get(stateKey(name)) != nil || s.former != nil && s.former.FilesOrgState(name)
}

// FilesJurisdiction reports whether a fund is organized under the law of a place of that name.
func (s *Snapshot) FilesJurisdiction(name string) bool {
	if s == nil {
		return true
	}
	found := s.funds.jurisdiction(name)
	return found.Len() > 0 || s.former != nil && s.former.FilesJurisdiction(name)
}
