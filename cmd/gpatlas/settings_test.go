package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An address of Redis that a password has spoiled is refused before it is asked, with nothing of it in the error.
func TestRedisURLWithUnescapedPassword(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"redis://scr:12#S3cret@127.0.0.1:1/0", "redis://scr:Hidden#S3cret@127.0.0.1:1/0", "redis://scr:12/S3cret@127.0.0.1:1/0",
		"redis://scr:12?S3cret@127.0.0.1:1/0", "redis://scr:%zz@127.0.0.1:1/0",
	} {
		c := redisConfig{URL: url}
		for _, err := range []error{c.Validate(), c.reach(t.Context())} {
			require.ErrorContains(t, err, "%40 (@)", url)
			require.NotRegexp(t, "S3cret|Hidden|12|scr", err.Error(), url)
		}
	}
	require.NoError(t, redisConfig{URL: "redis://scr:Hidden%23S3cret@127.0.0.1:6379/0"}.Validate())
}

// Addresses of the database and of Redis that are set are looked at before gpatlas dev starts anything.
func TestDevChecksAddressesFirst(t *testing.T) {
	t.Parallel()
	p := &program{environ: []string{"DATABASE_URL=postgres://scr:Hidden@S3cret@127.0.0.1:1/x", "REDIS_URL=redis://scr:12#S3cret@127.0.0.1:1/0"}}
	_, err := p.devSettings()
	require.ErrorContains(t, err, "DATABASE_URL: must look like")
	require.ErrorContains(t, err, "REDIS_URL: must look like")
	require.NotRegexp(t, "S3cret|Hidden", err.Error())
}
