// Package formd reads Form D notices of exempt offerings: the quarterly data sets (six tables of tab-separated values, zipped or
// unpacked), single notices as filed (primary_doc.xml), and the full submissions that EDGAR keeps of them (.txt), one or a folder or
// zip archive of them.
package formd
