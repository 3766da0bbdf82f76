// Package analytics derives data from filings over time: amendments, field changes, growth, likeness,
// regulatory disclosures and differences between two points. Operations: /v1/gps/{crd}/{amendments, changes, metrics, related,
// regulatory, diff} and /v1/funds/{fund_id}/amendments. Table: analytics.regulatory_answers. It may call
// the catalog, and reads its published views.
package analytics
