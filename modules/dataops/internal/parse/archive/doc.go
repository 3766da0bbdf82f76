// Package archive opens what a user points at (a file, a gzip file, a zip archive, a folder) as a list of members that
// can be read any number of times. Nothing is ever unpacked to disk, so a member's name is a label and cannot lead
// anywhere. Sizes are bounded before and while reading.
package archive
