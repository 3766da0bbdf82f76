package dbtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"gpatlas/platform/localserver"
)

const redisPause = 50 * time.Millisecond

// RedisNode is one of several servers that work together, on a port of 127.0.0.1.
type RedisNode struct {
	*redis.Client
	process *exec.Cmd
}

// Addr is HOST:PORT.
func (n *RedisNode) Addr() string { return n.Options().Addr }

// Kill ends the server as the loss of its machine would.
func (n *RedisNode) Kill(tb testing.TB) {
	tb.Helper()
	require.NoError(tb, n.process.Process.Kill())
	_ = n.process.Wait()
}

// RedisSentinel starts a primary with a replica and three Sentinels. The URL names the Sentinels. All end with the test.
func RedisSentinel(tb testing.TB) (url string, primary, replica *RedisNode) {
	tb.Helper()
	primary = redisNode(tb)
	host, port, err := net.SplitHostPort(primary.Addr())
	require.NoError(tb, err)
	replica = redisNode(tb, "--replicaof", host+" "+port)
	addresses := make([]string, 3)
	sentinels := make([]*redis.SentinelClient, len(addresses))
	for i := range addresses {
		file := filepath.Join(tb.TempDir(), "sentinel.conf") // Sentinel writes to it
		lines := []string{"monitor gpatlas " + host + " " + port + " 2", "down-after-milliseconds gpatlas 1000", "failover-timeout gpatlas 5000"}
		require.NoError(tb, os.WriteFile(file, []byte("sentinel "+strings.Join(lines, "\nsentinel ")+"\n"), 0o600))
		node := redisNode(tb, file, "--sentinel")
		addresses[i], sentinels[i] = node.Addr(), redis.NewSentinelClient(node.Options())
		tb.Cleanup(func() { _ = sentinels[i].Close() })
	}
	for _, s := range sentinels {
		require.Eventually(tb, func() bool {
			known := s.Master(tb.Context(), "gpatlas").Val()
			return known["num-other-sentinels"] == "2" && known["num-slaves"] == "1"
		}, redisWait, redisPause, "the Sentinels know each other and the replica")
	}
	return "redis://" + addresses[0] + "/0?master_name=gpatlas&addr=" + strings.Join(addresses[1:], "&addr="), primary, replica
}

// RedisCluster starts a Cluster of three primaries with a replica each, and returns its URL. All end with the test.
func RedisCluster(tb testing.TB) (url string, nodes []*RedisNode) {
	tb.Helper()
	const primaries, slots = 3, 16384
	nodes = make([]*RedisNode, 2*primaries)
	for i := range nodes {
		nodes[i] = redisNode(tb, "--cluster-enabled", "yes", "--cluster-node-timeout", "2000")
		if i > 0 {
			host, port, err := net.SplitHostPort(nodes[i].Addr())
			require.NoError(tb, err)
			require.NoError(tb, nodes[0].ClusterMeet(tb.Context(), host, port).Err())
		}
		if i < primaries {
			require.NoError(tb, nodes[i].ClusterAddSlotsRange(tb.Context(), i*slots/primaries, (i+1)*slots/primaries-1).Err())
		}
	}
	for i, n := range nodes {
		if i < primaries {
			continue
		}
		id := nodes[i-primaries].ClusterMyID(tb.Context()).Val()
		require.Eventually(tb, func() bool { return n.ClusterReplicate(tb.Context(), id).Err() == nil }, redisWait, redisPause, "a replica knows its primary")
	}
	for _, n := range nodes {
		require.Eventually(tb, func() bool {
			info := n.ClusterInfo(tb.Context()).Val()
			return strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:6") &&
				strings.Count(n.ClusterNodes(tb.Context()).Val(), "slave") == primaries
		}, redisWait, redisPause, "the nodes agree")
	}
	return fmt.Sprintf("redis://%s?addr=%s&addr=%s", nodes[0].Addr(), nodes[1].Addr(), nodes[2].Addr()), nodes
}

func redisNode(tb testing.TB, settings ...string) *RedisNode {
	tb.Helper()
	bin, err := localserver.FindRedis()
	require.NoError(tb, err)
	addr := freeAddress(tb)
	_, port, err := net.SplitHostPort(addr)
	require.NoError(tb, err)
	dir := tb.TempDir()
	log, err := os.Create(filepath.Join(dir, "log"))
	require.NoError(tb, err)
	defer func() { _ = log.Close() }()
	n := &RedisNode{redis.NewClient(&redis.Options{Addr: addr, MaxRetries: -1}), exec.Command(bin, append(settings, "--bind", "127.0.0.1", "--port", port, "--dir", dir)...)}
	n.process.Stdout, n.process.Stderr = log, log
	n.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	require.NoError(tb, n.process.Start())
	tb.Cleanup(func() {
		_ = n.Close()
		if n.process.ProcessState == nil {
			n.Kill(tb)
		}
	})
	require.Eventually(tb, func() bool { return n.Ping(tb.Context()).Err() == nil }, redisWait, redisPause)
	return n
}
