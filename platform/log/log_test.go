package log_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/log"
)

// sink is a buffer that may be written to and read from at once.
type sink struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func TestRequestIDIsOnEveryLine(t *testing.T) {
	t.Parallel()
	var out sink
	logger, flush := log.Open(log.Config{Format: "json"}, &out)
	ctx := log.WithRequestID(t.Context(), "abc-1")
	inner, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	logger.With("part", "x").WithGroup("g").InfoContext(inner, "with", "a", 1)
	logger.Info("without")
	flush()
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], `"request_id":"abc-1"`)
	require.NotContains(t, lines[1], "request_id")
	require.Equal(t, "abc-1", log.RequestID(inner))
	require.Empty(t, log.RequestID(t.Context()))
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &fields))
	require.Equal(t, "with", fields["msg"])
}

func TestSecretsAreNotLogged(t *testing.T) {
	t.Parallel()
	var out sink
	logger, flush := log.Open(log.Config{Format: "json"}, &out)
	logger.Info("sign-in of Bearer eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl",
		"Authorization", "Bearer hidden-one", "Cookie", "hidden-two", "password", "hidden-three", "X-API-Key", "hidden-four",
		"database", "postgres://gpatlas:hidden-five@db:5432/x", "query", "a=1&token=hidden-six&refresh_token=hidden-seven&b=2",
		"text", "key gpa_live_4hiddenEight rest", "error", errors.New("dial redis://:hidden-nine@host:6379: refused"), "path", "/v1/gps")
	logger.WithGroup("inner").Info("grouped", "secret", "hidden-ten")
	flush()
	require.NotContains(t, out.String(), "hidden")
	require.NotContains(t, out.String(), "eyJ")
	for _, kept := range []string{"postgres://gpatlas:[redacted]@db:5432/x", "a=1&token=[redacted]&refresh_token=[redacted]&b=2", "gpa_live_[redacted] rest", "/v1/gps"} {
		require.Contains(t, out.String(), kept)
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	var out sink
	logger, flush := log.Open(log.Config{Format: "json", Level: slog.LevelWarn}, &out)
	logger.Info("quiet")
	require.False(t, logger.Enabled(t.Context(), slog.LevelInfo))
	logger.Warn("at once")
	require.Contains(t, out.String(), "at once", "a warning does not wait in the buffer")
	require.NotContains(t, out.String(), "quiet")
	flush()
}

func TestLinesAreGatheredAndArrive(t *testing.T) {
	t.Parallel()
	var out sink
	logger, _ := log.Open(log.Config{Format: "json"}, &out)
	logger.Info("soon")
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "soon") }, time.Minute, 10*time.Millisecond)
	logger.Info(strings.Repeat("x", 70<<10))
	require.Contains(t, out.String(), "xxx", "a full buffer is written at once")
	logger.Info("again")
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "again") }, time.Minute, 10*time.Millisecond)
}

func TestText(t *testing.T) {
	t.Parallel()
	var out sink
	logger, flush := log.Open(log.Config{Format: "text"}, &out)
	logger.Info("plain", "a", 1)
	flush()
	require.Contains(t, out.String(), "level=INFO msg=plain a=1")
	var auto sink
	logger, flush = log.Open(log.Config{Format: "auto"}, &auto)
	logger.Info("machine")
	flush()
	require.Contains(t, auto.String(), `"msg":"machine"`, "what is no terminal gets JSON")
}

func TestConfig(t *testing.T) {
	t.Parallel()
	require.NoError(t, log.Config{Format: "auto"}.Validate())
	require.ErrorContains(t, log.Config{Format: "xml"}.Validate(), "LOG_FORMAT")
}

// Durations carry their unit in both formats: slog's JSON alone would write a number of nanoseconds.
func TestDurationsHaveUnits(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"json": `"took":"1.5s"`, "text": "took=1.5s"} {
		var out bytes.Buffer
		logger, flush := log.Open(log.Config{Format: format}, &out)
		logger.Info("done", slog.Duration("took", 1500*time.Millisecond))
		flush()
		require.Contains(t, out.String(), want)
	}
}
