package mail

import "gpatlas/platform/clock"

// Encode gives a message as it travels.
func Encode(cfg Config, clk clock.Clock, m Message) ([]byte, error) {
	w, err := newWriter(cfg, clk)
	if err != nil {
		return nil, err
	}
	l, err := w.write(m)
	return l.data, err
}
