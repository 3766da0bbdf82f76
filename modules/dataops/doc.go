// Package dataops brings source documents into the catalogue and keeps account of it: which files were ingested when,
// what came of them, and which rows could not be used.
//
// Tables: schema dataops (ingestion_runs, quarantine). Published: dataopsapi.Runs. It writes no catalogue table: it opens
// and parses documents and hands them to catalogapi.Loader, the one module that it asks.
package dataops
