// Package httpapi turns declared operations (Route) into HTTP: it decodes and validates parameters, responds in one envelope,
// reports every failure in one format, and generates the OpenAPI document. Modules declare; the host (web) registers. It
// imports no module and starts nothing.
package httpapi
