package feed

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gpatlas/modules/feed/internal/listening"
	"gpatlas/platform/clock"
)

// ListenCommand is `gpatlas listen`. getenv reads the environment, usage marks errors of arguments, and check wraps the argument checks as the
// program's others.
func ListenCommand(getenv func(string) string, clk clock.Clock, usage func(error) error, check func(cobra.PositionalArgs) cobra.PositionalArgs) *cobra.Command {
	l := listening.Listener{Filter: url.Values{}, Clock: clk}
	var kinds, crds []string
	var watchlist bool
	cmd := &cobra.Command{
		Use: "listen", Short: "Forward changes to a program on this machine, as webhooks", Args: check(cobra.NoArgs),
		Long: "Forward the events of GET /v1/changes to a URL, signed as webhooks are, for example to a program that you write on this machine.\n" +
			"The signing secret is printed, and stays the same. A file keeps the position: events that come while this command or the\n" +
			"receiver is stopped are forwarded afterwards. An event can arrive twice, with the same webhook-id.\n\n" +
			"GPATLAS_SERVER is the URL of the service (default http://127.0.0.1:8080), GPATLAS_KEY an API key.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			l.Server, l.Key, l.Out = cmp.Or(getenv("GPATLAS_SERVER"), "http://127.0.0.1:8080"), getenv("GPATLAS_KEY"), cmd.OutOrStdout()
			if err := checkListener(&l); err != nil {
				return usage(err)
			}
			for name, list := range map[string][]string{"kind": kinds, "crd": crds} {
				if len(list) > 0 {
					l.Filter.Set(name, strings.Join(list, ","))
				}
			}
			if watchlist {
				l.Filter.Set("watchlist", "true")
			}
			if l.File == "" {
				dir, err := os.UserConfigDir()
				if err != nil {
					return usage(fmt.Errorf("there is no folder for the position: name a file by --position: %w", err))
				}
				l.File = filepath.Join(dir, "gpatlas", fmt.Sprintf("listen-%.4x.json", sha256.Sum256([]byte(l.Server+"\n"+l.ForwardTo))))
			}
			l.Client = &http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			return l.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&l.ForwardTo, "forward-to", "", "URL to post the events to, such as http://localhost:3000/hook")
	flags.StringSliceVar(&kinds, "kind", nil, "kinds of events, separated by commas (default: all)")
	flags.StringSliceVar(&crds, "crd", nil, "CRD numbers of managers, separated by commas (default: all)")
	flags.BoolVar(&watchlist, "watchlist", false, "only events of the managers on your watchlist")
	flags.StringVar(&l.From, "from", "", "begin again: \"now\", or with the \"oldest\" event")
	flags.StringVar(&l.File, "position", "", "file that keeps the position and the secret (default: one for each server and URL in your configuration folder)")
	return cmd
}

func checkListener(l *listening.Listener) error {
	if l.ForwardTo != "" && !strings.Contains(l.ForwardTo, "://") {
		l.ForwardTo = "http://" + l.ForwardTo
	}
	for _, u := range []struct{ name, value string }{{"--forward-to", l.ForwardTo}, {"GPATLAS_SERVER", l.Server}} {
		parsed, err := url.Parse(u.value)
		if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
			return fmt.Errorf("%s must be a URL such as http://localhost:3000/hook, not %q", u.name, u.value)
		}
	}
	switch {
	case l.From != "" && l.From != "now" && l.From != "oldest":
		return fmt.Errorf("--from must be now or oldest, not %q", l.From)
	case l.Key == "":
		return errors.New("GPATLAS_KEY must be an API key of the service")
	}
	return nil
}
