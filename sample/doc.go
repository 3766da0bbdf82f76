// Package sample writes an invented catalog in the regulator's own formats: Form ADV Part 1 archives as the SEC
// publishes them, one with the years before and one for each month since; Form ADV-W archives by year; Form D data sets
// by quarter; the compilation of firms of the last day; and lists of what LPs have committed to funds. Beside them lie job
// boards of some advisers as their vendors answer, recorded on several days. What is tried out, demonstrated and measured
// with it goes through the real ingestion.
//
// The same options give the same bytes on every machine: nothing asks the clock, no order comes from a map, and all
// arithmetic is in integers, because floating point may differ in the last bit between processors.
//
// Every firm, fund, person, provider, event and address is composed of invented words; domains end in .example
// (RFC 2606), telephone numbers are of the reserved 555-01xx block, and CRD, SEC, Form D and EDGAR numbers lie above
// those given out so far, or in blocks in which no adviser's lies.
package sample
