// Package feed tells callers what has changed: the feed of changes, which reads the log of platform/changes. Other modules write
// the log; this one alone publishes it.
package feed
