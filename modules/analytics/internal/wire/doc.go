// Package wire writes answers by hand, exactly as encoding/json would without its escaping of HTML, for the operations that
// are asked the most. The tests of each operation hold its bytes to the type that it declares.
package wire
