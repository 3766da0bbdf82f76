// Package gate holds a document against the last good one of its series before it is published. Regulators' files are
// defective now and then: a month in which one list stands twice and the other is missing, a column gone. Such a document
// is stopped, and what is in the catalog stays.
//
// The rules are functions of figures; who gathers the figures and what is done about a finding is the caller's business.
package gate
