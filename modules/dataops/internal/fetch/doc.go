// Package fetch downloads files from the regulator's servers. It limits its requests per second and names a contact, resumes
// interrupted downloads, retries transient failures, verifies sizes, enforces limits, and follows redirects only to allowed hosts.
package fetch
