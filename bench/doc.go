// Package bench measures the whole service over HTTP, the way callers meet it: `make bench`, explained in
// docs/benchmarks.md. Everything in it is test code; the package itself is empty.
package bench
