package bench_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// connections is how many clients ask at once, each on a connection of its own that is kept open.
const connections = 16

// client is one kept connection. It does as little as a client can, for it shares the machine with what it measures:
// a request is bytes made beforehand, an answer is read by its Content-Length and not looked at.
type client struct {
	conn net.Conn
	buf  []byte
}

func dial(ctx context.Context, addr string) (*client, error) {
	conn, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, buf: make([]byte, 64<<10)}, nil
}

func (c *client) close() { _ = c.conn.Close() }

// request is the bytes of a GET.
func request(path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n")
}

var (
	headEnd  = []byte("\r\n\r\n")
	lengthIs = []byte("\r\nContent-Length: ")
)

// ask sends one request and reads its answer; body holds until the next one.
func (c *client) ask(request []byte) (status int, body []byte, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, err
	}
	have, need := 0, 0
	head := 0
	for need == 0 || have < need {
		if have == len(c.buf) {
			c.buf = append(c.buf, make([]byte, len(c.buf))...)
		}
		n, err := c.conn.Read(c.buf[have:])
		have += n
		if err != nil {
			return 0, nil, err
		}
		if need > 0 {
			continue
		}
		if head = bytes.Index(c.buf[:have], headEnd); head < 0 {
			continue
		}
		if status, need, err = parseHead(c.buf[:head]); err != nil {
			return 0, nil, err
		}
		head += len(headEnd)
		need += head
	}
	if have > need {
		return 0, nil, fmt.Errorf("%d bytes more than the answer's length", have-need)
	}
	return status, c.buf[head:need], nil
}

// parseHead finds the status and the length of the body.
func parseHead(head []byte) (status, length int, err error) {
	if len(head) < len("HTTP/1.1 200") {
		return 0, 0, fmt.Errorf("no answer of HTTP: %q", head)
	}
	if status, err = strconv.Atoi(string(head[9:12])); err != nil {
		return 0, 0, fmt.Errorf("no status in %q", head[:12])
	}
	_, digits, found := bytes.Cut(head, lengthIs)
	if !found {
		return 0, 0, errors.New("an answer without Content-Length")
	}
	digits, _, _ = bytes.Cut(digits, []byte{'\r'})
	length, err = strconv.Atoi(string(digits))
	return status, length, err
}

// load is what a stretch of load was like.
type load struct {
	rate     float64 // answers a second
	p50, p99 time.Duration
}

// clients are kept connections to one server.
type clients []*client

func gather(ctx context.Context, addr string) (clients, error) {
	all := make(clients, 0, connections)
	for range connections {
		c, err := dial(ctx, addr)
		if err != nil {
			all.close()
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

func (all clients) close() {
	for _, c := range all {
		c.close()
	}
}

// drive asks the questions in turn, on all connections at once, each as soon as its last one is answered. An answer
// other than 200 ends it: what fails fast must not look fast.
func (all clients) drive(ctx context.Context, questions [][]byte, howLong time.Duration) (load, error) {
	return all.driveTo(ctx, questions, howLong, 200)
}

// driveTo is drive to answers of another status.
func (all clients) driveTo(ctx context.Context, questions [][]byte, howLong time.Duration, status int) (load, error) {
	var wg sync.WaitGroup
	took := make([][]time.Duration, len(all))
	errs := make([]error, len(all))
	began := time.Now()
	end := began.Add(howLong)
	for i, c := range all {
		wg.Go(func() {
			took[i], errs[i] = c.drive(ctx, questions, i*len(questions)/len(all), end, status)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return load{}, err
	}
	return measured(slices.Concat(took...), time.Since(began)), nil
}

func (c *client) drive(ctx context.Context, questions [][]byte, first int, end time.Time, wanted int) ([]time.Duration, error) {
	took := make([]time.Duration, 0, 1<<16)
	for i := first; ; i++ {
		began := time.Now()
		if began.After(end) {
			return took, ctx.Err()
		}
		status, body, err := c.ask(questions[i%len(questions)])
		if err != nil {
			return nil, err
		}
		if status != wanted {
			return nil, fmt.Errorf("%s: status %d: %s", firstLine(questions[i%len(questions)]), status, body)
		}
		took = append(took, time.Since(began))
	}
}

func measured(took []time.Duration, over time.Duration) load {
	if len(took) == 0 {
		return load{}
	}
	slices.Sort(took)
	return load{
		rate: float64(len(took)) / over.Seconds(),
		p50:  took[len(took)/2], p99: took[len(took)*99/100],
	}
}

func firstLine(request []byte) []byte {
	line, _, _ := bytes.Cut(request, []byte(" HTTP/1.1\r\n"))
	return line
}
