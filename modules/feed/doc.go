// Package feed is the module that answers GET /v1/changes and sends webhooks and alerts on saved searches. It reads the log of platform/changes; other modules
// write it.
package feed
