// Package web is the HTTP host: one Fiber app made from the modules' manifests, with everything around an operation
// that is the same for all of them (request ids, logs, metrics, CORS, compression, failures), and the pages that
// belong to no module: the service's own, its documentation and the internal ones.
package web
