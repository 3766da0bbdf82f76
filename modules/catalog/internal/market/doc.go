// Package market counts and sums up the market: GET /v1/search/aggregate. The index does the counting.
package market
