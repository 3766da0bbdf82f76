// Package catalogapi is the catalog's face to the other modules: plain structs and narrow interfaces over the
// standard library only.
package catalogapi
