// Package advw reads the regulator's table of Forms ADV-W, by which advisers withdraw their registration.
package advw
