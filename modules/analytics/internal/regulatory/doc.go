// Package regulatory tells what a fund manager has had to disclose: criminal, civil and regulatory matters of the firm and
// of its advisory affiliates (Form ADV Part 1A, item 11 and its disclosure reporting pages).
//
// Events come from providers: the disclosure pages of the loaded filings and, where it is configured, the regulator's
// public firm search. What a provider said is remembered for a day in analytics.regulatory_answers, and longer for when
// the provider is away.
package regulatory
