// Package formd reads Form D notices of exempt offerings: the quarterly data sets (six tables of tab-separated values, zipped or
// unpacked) and single notices as filed (primary_doc.xml), one or a folder or zip archive of them.
package formd
