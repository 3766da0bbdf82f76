// Package regulatory lists what a fund manager has had to disclose: criminal, civil and regulatory matters of the firm and of
// its advisory affiliates (Form ADV Part 1A, item 11 and its disclosure reporting pages).
//
// Events come from providers: the disclosure pages of the loaded filings and, if configured, the regulator's public firm
// search. Answers of providers are cached for a day in analytics.regulatory_answers, and longer in case the provider is
// unavailable.
package regulatory
