package redisclient_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/redisclient"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	one, err := redisclient.Options("rediss://user:secret@redis.example.com:6380/3?dial_timeout=2s&pool_size=7")
	require.NoError(t, err)
	require.IsType(t, &redis.Client{}, redis.NewUniversalClient(one))
	simple := one.Simple()
	require.Equal(t, []any{"redis.example.com:6380", "user", "secret", 3, 2 * time.Second, 7}, []any{simple.Addr, simple.Username, simple.Password, simple.DB, simple.DialTimeout, simple.PoolSize})
	require.Equal(t, "redis.example.com", simple.TLSConfig.ServerName)

	socket, err := redisclient.Options("unix:///run/redis.sock?db=5")
	require.NoError(t, err)
	client, single := redis.NewUniversalClient(socket).(*redis.Client)
	require.True(t, single)
	require.Equal(t, []any{"unix", "/run/redis.sock", 5}, []any{client.Options().Network, client.Options().Addr, client.Options().DB})

	sentinels, err := redisclient.Options("redis://watcher:eyes@s1:26379/2?addr=s2:26379&addr=s3:26379&master_name=gpatlas&username=user&password=secret")
	require.NoError(t, err)
	failover := sentinels.Failover()
	require.Equal(t, []any{"gpatlas", []string{"s1:26379", "s2:26379", "s3:26379"}, "watcher", "eyes", "user", "secret", 2},
		[]any{failover.MasterName, failover.SentinelAddrs, failover.SentinelUsername, failover.SentinelPassword, failover.Username, failover.Password, failover.DB})

	cluster, err := redisclient.Options("redis://user:secret@c1:6379?addr=c2:6379")
	require.NoError(t, err)
	require.IsType(t, &redis.ClusterClient{}, redis.NewUniversalClient(cluster))
	require.Equal(t, []string{"c1:6379", "c2:6379"}, cluster.Cluster().Addrs)
	require.Equal(t, "secret", cluster.Cluster().Password)

	for _, bad := range []string{"", "http://x", "redis://h/x", "redis://h?addr=x", "redis://h?master_name=m&addr=x", "redis://h?unknown=1", "redis://a:se#cret@h", "redis://h:port/0", "\x00secret"} {
		_, err := redisclient.Options(bad)
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), "secret")
	}
}
