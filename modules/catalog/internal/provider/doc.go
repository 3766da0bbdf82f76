// Package provider lists the firms that serve funds: auditors, prime brokers, custodians, administrators and marketers (Schedule D, section
// 7.B.(1), items 23 to 28). Which rows are one firm decides index.Provider; the general partners of item 3 are none.
package provider
