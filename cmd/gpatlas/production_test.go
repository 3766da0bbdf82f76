package main

import (
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/mailtest"
)

// shellBlock is the first block of shell commands below a heading of a page.
func shellBlock(t *testing.T, page, heading string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	_, section, found := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, found, "%s has no heading %s", page, heading)
	section, _, _ = strings.Cut(section, "\n## ")
	_, block, found := strings.Cut(section, "```sh\n")
	require.True(t, found, "%s: no block of commands below %s", page, heading)
	block, _, found = strings.Cut(block, "\n```")
	require.True(t, found)
	return block
}

// exported runs a block of commands as a shell does and gives the settings that it exports, in their order.
func exported(t *testing.T, block string) (lines []string) {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err != nil { // only the form of its answer matters
		block = "openssl() { head -c 32 /dev/urandom | base64; }\n" + block
	}
	cmd := exec.CommandContext(t.Context(), "bash", "-euc", block+"\nenv -0")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := cmd.Output()
	require.NoError(t, err, block)
	for line := range strings.SplitSeq(string(out), "\x00") {
		name, _, _ := strings.Cut(line, "=")
		if strings.Contains(block, " "+name+"=") {
			lines = append(lines, line)
		}
	}
	return lines
}

// put replaces a setting by one of this machine; it must be among the lines.
func put(t *testing.T, lines []string, name, value string) {
	t.Helper()
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, name+"=") })
	require.NotEqual(t, -1, i, "%s is not named", name)
	lines[i] = name + "=" + value
}

// Guarantee: a person who sets what the README's section on production lists, and nothing else, has a service that is well and
// that people can register at. What the README writes is of the right form, and each setting is needed.
func TestProductionNeedsWhatTheReadmeSays(t *testing.T) {
	t.Parallel()
	settings := exported(t, shellBlock(t, "../../README.md", "Production"))
	_, err := (&program{environ: settings}).settingsFor()
	require.NoError(t, err, "the values as they stand there")

	server := mailtest.NewServer(t, mailtest.Options{})
	databaseURL, redisURL := dbtest.NewEmptyURL(t), dbtest.RedisURL(t)
	put(t, settings, "DATABASE_URL", databaseURL)
	put(t, settings, "REDIS_URL", redisURL)
	put(t, settings, "MAIL_SMTP_URL", server.URL())
	run := func(settings []string, args ...string) (*exec.Cmd, *output) {
		cmd, out := gpatlas(t, args...)
		// The default port of the internal pages may be another's on the machine of a test.
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "WEB_INTERNAL_ADDR=127.0.0.1:0"}, settings...)
		return cmd, out
	}

	migrate, out := run(settings, "migrate", "up")
	require.Zero(t, runToEnd(t, migrate), out)
	addr := freePort(t)
	running := map[*exec.Cmd]*output{}
	for _, args := range [][]string{{"web", "--addr", addr}, {"worker"}} {
		cmd, out := run(settings, args...)
		running[cmd] = out
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		require.Eventually(t, func() bool { return strings.Contains(out.String(), `"msg":"started"`) }, time.Minute, glance, out)
	}
	status, body := get(t, "http://"+addr+"/health")
	require.Equal(t, http.StatusOK, status, body)
	h := &house{base: "http://" + addr, password: "three herons cross the pond"}
	h.signUp(t, "ada@larkspur.example")
	sent := server.Wait(t, 1)[0]
	require.Equal(t, "ada@larkspur.example", sent.To)
	link := mailtest.Link(t, mailtest.Parse(t, sent.Data).Text)
	require.True(t, strings.HasPrefix(link, value(settings, "ACCOUNTS_PUBLIC_APP_URL")+"/verify-email?token="), link)

	for cmd, out := range running {
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, ended(t, cmd, out), out)
		require.Contains(t, out.String(), "stopping: finishing requests and jobs in progress")
	}
	for name, process := range map[string][]string{
		"DATABASE_URL": {"migrate", "up"}, "REDIS_URL": {"web"}, "ACCOUNTS_JWT_KEYS": {"web"}, "MAIL_SMTP_URL": {"worker"}, "MAIL_FROM": {"worker"},
	} {
		less := slices.DeleteFunc(slices.Clone(settings), func(line string) bool { return strings.HasPrefix(line, name+"=") })
		cmd, out := run(less, process...)
		require.Equal(t, exitFailed, runToEnd(t, cmd), "%s without %s: %s", process, name, out)
		require.Contains(t, out.String(), name)
	}
	down, out := run(settings, "migrate", "down", "0")
	require.Zero(t, runToEnd(t, down), out)
	require.Regexp(t, `^0 of \d+ migrations applied\n$`, out.String())
}

// value is that of a setting among lines; "" when it is not there.
func value(lines []string, name string) string {
	for _, line := range lines {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			return v
		}
	}
	return ""
}
