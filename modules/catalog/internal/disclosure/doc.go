// Package disclosure lists what managers have disclosed over the whole market: criminal, civil and regulatory events, without
// the texts and the persons that the list of one manager shows.
package disclosure
