// Package httpapi turns declared operations (Route) into HTTP: it decodes and validates parameters, answers in one
// envelope, reports every failure in one shape, and describes itself as OpenAPI. Modules declare; the host (web)
// registers. It knows no module and starts nothing.
package httpapi
