// Package analytics says what filings say over time: amendments, field changes, growth, likeness, market groupings,
// regulatory disclosures and differences between two points. Operations: /v1/gps/{crd}/{amendments, changes, metrics,
// related, regulatory, diff}, /v1/funds/{fund_id}/amendments and /v1/search/aggregate. Table:
// analytics.regulatory_answers. It may ask the catalogue, and reads the views that it publishes.
package analytics
