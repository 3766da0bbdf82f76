// Package modules holds the one list of the modules that make up the service.
package modules
