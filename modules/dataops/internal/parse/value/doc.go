// Package value turns the regulator's cells into typed values. Each function takes the cell as read, surrounding
// blanks included; an empty cell is absent (nil, zero or ""), never zero or false, and a cell that cannot be
// understood is an error whose text completes the sentence "<field> …". Nothing is guessed.
package value
