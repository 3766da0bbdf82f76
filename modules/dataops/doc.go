// Package dataops brings source documents into the catalog and records it: which files were ingested when,
// what came of them, and which rows could not be used.
//
// Tables: schema dataops (ingestion_runs, quarantine, alerts, sources, fetched, overrides). Published: dataopsapi.Runs. It writes no
// catalog table and reads only views that the catalog publishes: it fetches what is remote, opens
// and parses documents, holds them against the last good ones, and hands them to catalogapi.Loader, the one module that
// it asks. It keeps the register of operators' corrections; the modules that have the data apply them (see platform/overrides).
package dataops
