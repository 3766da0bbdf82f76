// Package storedhistory writes down what the fold found of one adviser, and reads it back: the row of catalog.adviser_histories, which
// a load writes together with the current rows. Metrics, changes and provenance are then one look-up instead of a fold over all
// filings.
//
// A row has four parts, each complete in itself, so that no reader reads more than it needs: the states after each filing, the
// funds, and where the values come from that the details of the adviser and of its funds show. They are written by package codec, each state and
// fund as what differs from the one before.
//
// Nothing in a row depends on the day on which it is read. A reader passes over rows of another Encoding, as if they were not
// there: the daily refresh writes them again after an upgrade.
package storedhistory
