// Package dataops brings source documents into the catalog and records it: which files were ingested when,
// what came of them, and which rows could not be used.
//
// Tables: schema dataops (ingestion_runs, quarantine, alerts, sources, fetched, overrides). It publishes nothing, writes no
// catalog table and reads only views that the catalog publishes. It fetches remote documents, opens and parses documents,
// compares them with the last good ones, and passes them to catalogapi.Loader. It keeps the register of operators'
// corrections; the modules that own the data apply them (see platform/overrides).
package dataops
