// Package listing holds what the catalog's operations have in common: checking filters against the vocabularies (all
// faults at once), saying in filters_applied which of them were applied and how they were understood, the envelope of
// the hot lists, and the keys of advisers and funds in addresses.
package listing
