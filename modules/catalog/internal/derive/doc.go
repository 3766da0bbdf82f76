// Package derive holds the catalog's rules that turn what a filing says into what a reader searches by: a fund's
// strategy, a firm's own website, the stem of its name. Pure functions: the one definition of each rule, whoever
// stores the result.
package derive
