// Package httpclient asks other services' HTTP APIs for small answers. It bounds the time of a whole question, the size of
// its answer and the rate of requests, repeats what failed in passing, and does not follow redirects to other hosts.
package httpclient
