// Package ingest takes files, folders and addresses to the catalog: finds the documents in them, fetches what is
// remote, opens each with the parsers, loads it, and records it in a run. Documents are loaded one by one; one that
// fails leaves nothing behind and does not keep the others from being loaded.
package ingest
