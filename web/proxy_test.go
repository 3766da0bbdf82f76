package web_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// visitor is an address of this machine that is not the proxies'.
func visitor() string {
	if runtime.GOOS == "darwin" { // it has one IPv4 address of its own
		return "::1"
	}
	return "127.0.0.9"
}

// freeAddress returns an address that visitors can reach and on which no server listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	host := "127.0.0.1"
	if runtime.GOOS == "darwin" {
		host = "::1"
	}
	socket, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	require.NoError(t, err)
	require.NoError(t, socket.Close())
	return socket.Addr().String()
}

// proxyProgram finds a proxy that scripts/install.sh --test installs; Debian's servers are not on everybody's PATH. A machine
// without it fails: what is said of proxies is not to be believed untried.
func proxyProgram(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		path, err = exec.LookPath(filepath.Join("/usr/sbin", name))
	}
	require.NoError(t, err, "%s is not there: scripts/install.sh --test installs it", name)
	return path
}

// startProxy runs a proxy with a configuration until the test ends, and waits until it listens.
func startProxy(t *testing.T, name, config, address string, args ...string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, name+".conf")
	require.NoError(t, os.WriteFile(file, []byte(config), 0o600))
	for i, arg := range args {
		switch arg {
		case "CONFIG":
			args[i] = file
		case "FOLDER":
			args[i] = dir
		}
	}
	command := exec.Command(proxyProgram(t, name), args...)
	command.Dir, command.Stdout, command.Stderr = dir, t.Output(), t.Output()
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	require.Eventually(t, func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, time.Minute, 10*time.Millisecond, "%s listens", name)
}

func startHAProxy(t *testing.T, server, option string) (address string) {
	t.Helper()
	address = freeAddress(t)
	startProxy(t, "haproxy", fmt.Sprintf(`
global
    maxconn 100
defaults
    mode http
    %s
    timeout connect 5s
    timeout client 30s
    timeout server 30s
frontend in
    bind %s
    default_backend atlas
backend atlas
    server one %s
`, option, address, server), address, "-db", "-f", "CONFIG")
	return address
}

func startNginx(t *testing.T, server, directive string) (address string) {
	t.Helper()
	address = freeAddress(t)
	startProxy(t, "nginx", fmt.Sprintf(`
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events { worker_connections 100; }
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {
        listen %s;
        location / {
            proxy_pass http://%s;
            %s
        }
    }
}
`, address, server, directive), address, "-p", "FOLDER", "-c", "CONFIG", "-e", "stderr")
	return address
}

// Behind a real HAProxy and a real nginx, in the shapes that their documentation shows, and behind one that stands behind
// the other, a visitor is known by his own address whatever he sends, and the internal pages do not exist for him.
func TestBehindRealProxies(t *testing.T) {
	t.Parallel()
	const forward, appendHop = "option forwardfor", "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"
	haproxy := func(option string) func(*testing.T, string) string {
		return func(t *testing.T, server string) string { t.Helper(); return startHAProxy(t, server, option) }
	}
	nginx := func(directive string) func(*testing.T, string) string {
		return func(t *testing.T, server string) string { t.Helper(); return startNginx(t, server, directive) }
	}
	type chain []func(t *testing.T, server string) string // the last one is the visitor's
	for name, test := range map[string]struct {
		chain chain
		tells bool // the proxy says for whom it asks
	}{
		"HAProxy":          {chain{haproxy(forward)}, true},
		"nginx":            {chain{nginx(appendHop)}, true},
		"nginx, one line":  {chain{nginx("proxy_set_header X-Forwarded-For $remote_addr;")}, true},
		"nginx to HAProxy": {chain{haproxy(forward), nginx(appendHop)}, true},
		"HAProxy to nginx": {chain{nginx(appendHop), haproxy(forward)}, true},
		"HAProxy, silent":  {chain{haproxy("")}, false},
		"nginx, silent":    {chain{nginx("")}, false},
		"none":             {nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := guardedOptions(t)
			l := &limiter{decide: plenty}
			options.Limiter, options.Config.TrustedProxies = l, []string{"127.0.0.1", "::1"}
			if runtime.GOOS == "darwin" {
				options.Config.TrustedProxies = []string{"127.0.0.1"}
			}
			server, _ := internalHost(t, options)
			address := server[len("http://"):]
			for _, start := range test.chain {
				address = start(t, address)
			}
			base := "http://" + address
			caller := &http.Client{Timeout: time.Minute, Transport: &http.Transport{
				DisableKeepAlives: true, DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(visitor())}}).DialContext,
			}}
			for _, said := range [][]string{
				nil,
				{"127.0.0.1"},
				{"::1"},
				{"203.0.113.5"},
				{"127.0.0.1", "203.0.113.5"},
				{"203.0.113.5, 127.0.0.1"},
				{"127.0.0.1, 127.0.0.1", "127.0.0.1"},
				{"unknown"},
				{"[::1]:80"},
				{"127.0.0.1:80"},
				{""},
				{" , ,"},
			} {
				get := func(path string) int {
					request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
					require.NoError(t, err)
					request.Header["X-Forwarded-For"] = said
					response, err := caller.Do(request)
					require.NoError(t, err)
					require.NoError(t, response.Body.Close())
					return response.StatusCode
				}
				l.callers()
				require.Equal(t, 200, get("/v1/public"), "%q", said)
				asked := l.callers()
				require.Len(t, asked, 1)
				if test.tells {
					require.Equal(t, visitor(), asked[0].Address.String(), "%q", said)
				}
				for _, page := range internalPages {
					require.Equal(t, 404, get(page), "%s %q", page, said)
				}
			}
		})
	}
}
