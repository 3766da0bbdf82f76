// Package catalog owns the advisers, their private funds and the filings that speak of them.
//
// Tables: schema catalog (filings, versions, current advisers and funds, publications, arrivals), and the views
// catalog.pub_* that other modules may read. Jobs: catalog.refresh_derived, daily. Published: catalogapi.Loader, which
// loads documents; a notice on the channel catalog_changed announces that documents were loaded. It asks no other module.
package catalog
