package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
)

const (
	// redisLease is how long a test that dies may keep its numbered database.
	redisLease = 20 * time.Minute
	// redisWait is how long a test waits for a numbered database when all are taken.
	redisWait = 60 * time.Second
	leaseKey  = "gpatlas:dbtest:lease:"
)

// redisURL is the server of this test process, found or started with the first test that asks.
var redisURL = sync.OnceValues(func() (string, error) {
	if u := os.Getenv("TEST_REDIS_URL"); u != "" {
		return u, nil
	}
	server, err := localserver.TemporaryRedis(context.Background())
	if err != nil {
		return "", err
	}
	return server.RedisURL(), nil
})

// Redis is a client of an empty Redis database for this test alone; emptied and returned at its end. Databases are separated by
// number on one server: keys are private, but publish/subscribe is not. A test that publishes, stops the server or counts its
// clients uses RedisServer.
func Redis(tb testing.TB) *redis.Client {
	tb.Helper()
	options, err := redis.ParseURL(RedisURL(tb))
	require.NoError(tb, err)
	c := redis.NewClient(options)
	tb.Cleanup(func() { _ = c.Close() })
	return c
}

// RedisURL is Redis for tests that connect themselves: redis://HOST:PORT/NUMBER, as go-redis and asynq read it.
func RedisURL(tb testing.TB) string {
	tb.Helper()
	base, err := redisURL()
	require.NoError(tb, err, "a test needs a Redis server")
	options, err := redis.ParseURL(base)
	require.NoError(tb, err, "TEST_REDIS_URL")
	options.DB = 0
	zero := redis.NewClient(options)
	tb.Cleanup(func() { _ = zero.Close() })
	number, err := lease(tb.Context(), zero)
	require.NoError(tb, err, "a Redis database for this test")
	require.NoError(tb, flush(tb.Context(), options, number))
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), adminTimeout)
		defer cancel()
		if flush(ctx, options, number) == nil { // otherwise the lease expires by itself
			zero.Del(ctx, leaseKey+strconv.Itoa(number))
		}
	})
	return withNumber(base, number)
}

// RedisServer is a whole redis-server for this test alone, which it may stop. It is ended with the test.
func RedisServer(tb testing.TB) *localserver.Stack {
	tb.Helper()
	server, err := localserver.TemporaryRedis(tb.Context())
	require.NoError(tb, err, "a test needs a Redis server")
	tb.Cleanup(func() {
		if err := server.Stop(context.WithoutCancel(tb.Context())); err != nil {
			tb.Errorf("stop redis-server: %v", err)
		}
	})
	return server
}

// lease takes the first numbered database on this server that no test of any process holds.
func lease(ctx context.Context, zero *redis.Client) (int, error) {
	config, err := zero.ConfigGet(ctx, "databases").Result()
	if err != nil {
		return 0, fmt.Errorf("reach Redis: %w", err)
	}
	count, _ := strconv.Atoi(config["databases"])
	if count < 2 {
		return 0, fmt.Errorf("the Redis server has %q databases, tests need 2 at least", config["databases"])
	}
	for deadline := time.Now().Add(redisWait); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		for number := 1; number < count; number++ {
			free, err := zero.SetNX(ctx, leaseKey+strconv.Itoa(number), os.Getpid(), redisLease).Result()
			if err != nil {
				return 0, err
			}
			if free {
				return number, nil
			}
		}
	}
	return 0, fmt.Errorf("all %d databases of the Redis server are taken", count-1)
}

func flush(ctx context.Context, options *redis.Options, number int) error {
	o := *options
	o.DB = number
	c := redis.NewClient(&o)
	defer func() { _ = c.Close() }()
	return c.FlushDB(ctx).Err()
}

// withNumber is a Redis URL with another database in it.
func withNumber(base string, number int) string {
	u, err := url.Parse(base)
	if err != nil {
		return base // it was parsed a moment ago
	}
	u.Path = "/" + strconv.Itoa(number)
	q := u.Query()
	q.Del("db")
	u.RawQuery = q.Encode()
	return u.String()
}
