// Package gate compares a document with the last good one of its series before it is published. Regulators' files are
// sometimes defective: one list is there twice and the other is missing, or a column is missing. Such a document is stopped,
// and the catalog stays unchanged.
//
// The rules are functions of figures. The caller gathers the figures and handles the findings.
package gate
