package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
)

// get asks once, on a connection of its own.
func get(ctx context.Context, addr, path string) (status int, body []byte, err error) {
	c, err := dial(ctx, addr)
	if err != nil {
		return 0, nil, err
	}
	defer c.close()
	return c.ask(request(path))
}

// firstAnswer waits until a search finds something.
func firstAnswer(ctx context.Context, addr string) error {
	for ctx.Err() == nil {
		status, body, err := get(ctx, addr, "/v1/gps?limit=1")
		if err == nil && status == 200 && bytes.Contains(body, []byte(`"crd":`)) {
			return nil
		}
		time.Sleep(2 * time.Millisecond)
	}
	return fmt.Errorf("no search has been answered: %w", ctx.Err())
}

// answer is what the answers of the measured operations have in common.
type answer struct {
	Data    json.RawMessage   `json:"data"`
	Similar []json.RawMessage `json:"similar_gps"` // of related, which has no data
	Metrics json.RawMessage   `json:"metrics"`     // of metrics, likewise
	Meta    struct {
		Total  int `json:"total"`
		Offset int `json:"offset"`
	} `json:"meta"`
}

func (a *answer) rows() int {
	switch {
	case a.Similar != nil:
		return len(a.Similar)
	case a.Metrics != nil:
		return 1
	}
	var list []json.RawMessage
	if json.Unmarshal(a.Data, &list) == nil {
		return len(list)
	}
	var both struct {
		GPs   []json.RawMessage `json:"gps"`
		Funds []json.RawMessage `json:"funds"`
	}
	_ = json.Unmarshal(a.Data, &both)
	return len(both.GPs) + len(both.Funds)
}

// survey is what the answers to an operation's questions look like.
type survey struct {
	requests [][]byte
	totals   []int
	bytes    int     // of an answer's body, on average
	rows     float64 // of an answer, on average
	empty    int     // answers without any row
}

// look asks every question once. Pages beyond the end of their list become first pages.
func look(ctx context.Context, addr string, op *operation) (survey, error) {
	var s survey
	c, err := dial(ctx, addr)
	if err != nil {
		return s, err
	}
	defer c.close()
	ask := func(q *question) (a answer, n int, err error) {
		status, body, err := c.ask(request(q.url()))
		if err == nil && status != 200 {
			err = fmt.Errorf("%s: status %d: %s", q.url(), status, body)
		}
		if err == nil {
			err = json.Unmarshal(body, &a)
		}
		return a, len(body), err
	}
	for i := range op.questions {
		q := &op.questions[i]
		a, n, err := ask(q)
		if err == nil && a.rows() == 0 && a.Meta.Offset > 0 {
			q.params.Del("page")
			a, n, err = ask(q)
		}
		if err != nil {
			return s, err
		}
		s.requests = append(s.requests, request(q.url()))
		s.totals = append(s.totals, a.Meta.Total)
		s.bytes += n
		s.rows += float64(a.rows())
		if a.rows() == 0 {
			s.empty++
		}
	}
	s.bytes /= len(op.questions)
	s.rows /= float64(len(op.questions))
	return s, ctx.Err()
}

// getInternal asks for one of the pages for operators, which come in pieces.
func getInternal(ctx context.Context, addr, path string) (status int, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+path, nil)
	if err != nil {
		return 0, nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	body, err = io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// figures are the process's own metrics.
func figures(ctx context.Context, addr string) (map[string]float64, error) {
	status, body, err := getInternal(ctx, addr, "/_internal/metrics")
	if err != nil {
		return nil, fmt.Errorf("read the metrics: %w", err)
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("read the metrics: status %d", status)
	}
	found := map[string]float64{}
	for line := range bytes.Lines(body) {
		name, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		if number, err := strconv.ParseFloat(string(value), 64); ok && err == nil {
			found[string(name)] = number
		}
	}
	return found, nil
}

// announce announces a change of the catalog, as an ingestion does at its end, so that the index is rebuilt.
func announce(ctx context.Context, databaseURL string) (seq int64, err error) {
	conn, err := pgx.Connect(ctx, databaseURL)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = conn.QueryRow(ctx, `WITH new AS (INSERT INTO catalog.publications (run_id, reason) VALUES (0, 'benchmark') RETURNING seq)
		SELECT seq FROM new, LATERAL pg_notify('catalog_changed', seq::text)`).Scan(&seq)
	return seq, err
}

// visible waits until the index holds a publication.
func visible(ctx context.Context, addr string, seq int64) error {
	for ctx.Err() == nil {
		now, err := figures(ctx, addr)
		if err != nil {
			return err
		}
		if now[publication] >= float64(seq) {
			return nil
		}
		time.Sleep(5 * time.Millisecond)
	}
	return ctx.Err()
}
