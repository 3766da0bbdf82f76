// Package offering lists what the Form D notices of funds say: one row an offering, which is a notice with its amendments. Which notices are
// of which fund is decided by package fold.
package offering
