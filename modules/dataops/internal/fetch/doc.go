// Package fetch brings files from the regulator's servers: politely (at most so many requests a second, with a contact's
// name), patiently (it resumes what was cut off and tries again what failed in passing), and distrustfully (sizes are
// verified, limits hold, redirects stay where they belong).
package fetch
