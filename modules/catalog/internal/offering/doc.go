// Package offering lists the Form D notices of funds: one row for each offering, which is a notice with its amendments. Package fold
// decides which notices belong to which fund.
package offering
