// Package httpclient calls other services' HTTP APIs for small responses. It bounds the time of a whole request, the size of
// its response and the rate of requests, retries transient failures, and does not follow redirects to other hosts.
package httpclient
