// Package feed reads the daily compilation of firms that IAPD publishes (IA_FIRM_SEC_Feed_….xml, IA_FIRM_STATE_Feed_….xml):
// one element a firm with what it answered last on Form ADV. It names no private fund and no owner.
package feed
