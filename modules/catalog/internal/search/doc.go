// Package search is the searches across advisers and funds at once: unified search, typeahead, name suggestions. All are
// answered from the index.
package search
