package localserver

import (
	"time"
)

// WithPath makes Start look for binaries in these folders alone.
func (c Config) WithPath(dirs ...string) Config {
	c.finder = finder{path: append([]string{}, dirs...)}
	return c
}

// WithUsers sets the users that root's servers may run as.
func (c Config) WithUsers(names ...string) Config {
	c.dropUser = names
	return c
}

// WithPatience returns how long Open waits for another owner's servers.
func (c Config) WithPatience(d time.Duration) Config {
	c.joinAfter = d
	return c
}

// Borrowed reports whether the servers belong to another process.
func (s *Stack) Borrowed() bool { return s.lock == nil }

// RedisAddr is the HOST:PORT of a temporary Redis.
func (s *Stack) RedisAddr() string { return s.folder.redisAddr }

// Pids gives the process ids of PostgreSQL and Redis.
func (s *Stack) Pids() (postgres, redis int) {
	pg, _ := s.folder.runningPostgres()
	r, _ := s.folder.runningRedis()
	return pg, r
}

// Ready is Pids of those that answer; 0 for others.
func (s *Stack) Ready() (postgres, redis int) {
	pg, pgStatus := s.folder.runningPostgres()
	r, rStatus := s.folder.runningRedis()
	if pgStatus != statusReady {
		pg = 0
	}
	if rStatus != statusReady {
		r = 0
	}
	return pg, r
}

// Alive returns whether a process runs.
func Alive(pid int) bool { return alive(pid) }

// Account is the user id that the servers run as.
func (s *Stack) Account() (uid uint32, name string) { return s.folder.as.uid, s.folder.as.name }
