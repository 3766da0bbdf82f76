// Package web is the HTTP host: one Fiber app made from the modules' manifests, with everything that all operations share
// (request ids, logs, metrics, CORS, compression, failures), and the pages that belong to no module: the service's own, its
// documentation and the internal ones.
package web
