package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/clock"
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

// A worker that is started without any settings names all that it needs, also where its mails go, in one error. The other
// commands send no mail and do not ask for it.
func TestMissingSettingsAreNamedAtOnce(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	require.Equal(t, exitFailed, run(clock.System{}, []string{"worker"}, []string{"MAIL_REPLY_TO=x"}, nil, io.Discard, &stderr))
	for _, line := range []string{"4 settings are invalid", "DATABASE_URL: is not set", "REDIS_URL: is not set", "MAIL_SMTP_URL: is not set", "MAIL_REPLY_TO: "} {
		require.Contains(t, stderr.String(), line)
	}
	stderr.Reset()
	require.Equal(t, exitFailed, run(clock.System{}, []string{"web"}, nil, nil, io.Discard, &stderr))
	require.Contains(t, stderr.String(), "3 settings are invalid")
	require.NotContains(t, stderr.String(), "MAIL_")

	wrong := []string{"MAIL_SMTP_URL=ftp://mail.example.com", "WEB_ADDR=8080", "ACCESS_POLICY=closed", "DATAOPS_SCHEDULE=x", "DATABASE_URL=mysql://x", "ACCOUNTS_JWT_KEYS=x"}
	for _, command := range []string{"web", "worker", "dev", "ingest x", "refresh", "admin audit", "admin quality", "admin quarantine", "people find x", "billing verify"} {
		stderr.Reset()
		require.Equal(t, exitFailed, run(clock.System{}, strings.Fields(command), wrong, nil, io.Discard, &stderr), command)
		for _, line := range wrong {
			name, _, _ := strings.Cut(line, "=")
			require.Contains(t, stderr.String(), "  "+name+": ", "%s reports what is set and wrong, whether it uses it or not", command)
		}
	}

	dev := &program{}
	_, err := dev.devSettings()
	require.NoError(t, err, "it writes mails into its data folder")
	dev.environ = []string{"MAIL_SMTP_URL=ftp://mail.example.com"}
	_, err = dev.devSettings()
	require.ErrorContains(t, err, "MAIL_SMTP_URL: must begin with smtp://")
}
