// Package testserver starts private PostgreSQL and Redis servers for tests. A server lives at most as long as the process
// that started it, however that process ends, and its folder goes once the server has been seen to stop.
package testserver
