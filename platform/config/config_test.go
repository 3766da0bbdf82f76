package config_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/config"
)

// pool stands for a package's settings.
type pool struct {
	// Size is how many there are.
	// Zero means none.
	Size    int32         `env:"SIZE" envDefault:"10" min:"1" max:"100"`
	Timeout time.Duration `env:"TIMEOUT" envDefault:"30s" min:"1s"`               // Timeout is how long to wait.
	Level   slog.Level    `env:"LEVEL" envDefault:"info" allowed:"debug or info"` // the least that is logged
	URL     string        `env:"URL" doc:"Where it is."`
	Hidden  func()        `env:"-"`
	TLS     tls           `envPrefix:"TLS_"`
}

type tls struct {
	// On switches it on.
	On bool `env:"ON"`
}

// Validate wants a URL.
func (p pool) Validate() error {
	var faults []error
	if p.URL == "" {
		faults = append(faults, errors.New("POOL_URL: is not set"))
	}
	return errors.Join(faults...)
}

// Modules stands for sections that come from elsewhere.
type Modules struct {
	Mod struct {
		Name string `env:"NAME" envDefault:"a b" doc:"Whose."`
	} `envPrefix:"MOD_"`
}

type settings struct {
	Pool pool `envPrefix:"POOL_"`
	Modules
	Extra struct {
		Rate float64 `env:"RATE" envDefault:"0.5" doc:"How often."`
	} `envPrefix:"EXTRA_"`
}

func TestLoad(t *testing.T) {
	t.Parallel()
	var s settings
	require.NoError(t, config.Load([]string{"POOL_URL=x://y", "POOL_TIMEOUT=2m", "POOL_TLS_ON=true", "EXTRA_RATE=", "MOD_NAME=m"}, &s))
	require.Equal(t, int32(10), s.Pool.Size)
	require.Equal(t, 2*time.Minute, s.Pool.Timeout)
	require.True(t, s.Pool.TLS.On)
	require.Equal(t, "m", s.Mod.Name)
	require.InDelta(t, 0.5, s.Extra.Rate, 0, "an empty variable is one that is not set")
}

func TestLoadCollectsEveryFault(t *testing.T) {
	t.Parallel()
	var s settings
	err := config.Load([]string{"POOL_SIZE=many", "POOL_TIMEOUT=30", "POOL_TLS_ON=perhaps", "POOL_LEVEL=loud", "EXTRA_RATE=1,5"}, &s)
	faults, ok := errors.AsType[*config.Error](err)
	require.True(t, ok)
	require.Equal(t, []config.Fault{
		{Name: "POOL_SIZE", Message: `"many" is not a whole number from 1 to 100`},
		{Name: "POOL_TIMEOUT", Message: `"30" is not a duration of 1s or more, such as "30s" or "5m"`},
		{Name: "POOL_LEVEL", Message: `"loud" is not debug or info`},
		{Name: "POOL_TLS_ON", Message: `"perhaps" is not "true" or "false"`},
		{Name: "POOL_URL", Message: "is not set"},
		{Name: "EXTRA_RATE", Message: `"1,5" is not a number`},
	}, faults.Faults, "each variable once, though its section's Validate complains too")
	require.Contains(t, err.Error(), "6 settings are invalid:\n  POOL_SIZE: ")

	err = config.Load(nil, &s)
	require.EqualError(t, err, "wrong setting POOL_URL: is not set")
}

func TestLoadForLeavesOutWhatACommandDoesNotUse(t *testing.T) {
	t.Parallel()
	var s settings
	notPool := func(name string) bool { return !strings.HasPrefix(name, "POOL_") }
	require.NoError(t, config.LoadFor(nil, &s, notPool))
	require.ErrorContains(t, config.LoadFor([]string{"EXTRA_RATE=x"}, &s, notPool), "wrong setting EXTRA_RATE")
}

func TestExample(t *testing.T) {
	t.Parallel()
	text, err := config.Example(".", "gpatlas/platform/config_test", &settings{})
	require.NoError(t, err)
	require.Contains(t, text, "\n## Pool\n\n# POOL_SIZE is how many there are.\n# Zero means none.\n# POOL_SIZE=10\n")
	require.Contains(t, text, "\n# POOL_TIMEOUT is how long to wait.\n# POOL_TIMEOUT=30s\n")
	require.Contains(t, text, "\n# Where it is.\n# POOL_URL=\n")
	require.Contains(t, text, "\n# POOL_TLS_ON switches it on.\n# POOL_TLS_ON=\n")
	require.Contains(t, text, "\n## Mod\n\n# Whose.\n# MOD_NAME='a b'\n\n## Extra\n\n# How often.\n# EXTRA_RATE=0.5\n")

	type undocumented struct {
		Bad struct {
			X string `env:"X"`
		}
	}
	_, err = config.Example(".", "gpatlas/platform/config_test", &undocumented{})
	require.Error(t, err)
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	require.Empty(t, config.Unknown([]string{
		"POOL_URL=x://y", "POOL_TLS_ON=true", "MOD_NAME=m", "HOME=/", "POOL_WRONG=", "POOLS=3", "EXTRAS=1",
		"POOL_SERVICE_HOST=10.0.0.1", "POOL_SERVICE_PORT_HTTP=80", "POOL_PORT=tcp://10.0.0.1:80", "POOL_PORT_80_TCP_ADDR=10.0.0.1",
	}, &settings{}), "what is set right, to nothing, or by others")
	list := config.Unknown([]string{"POOL_ULR=x://y", "POOL_PORT=80", "POL_TIMEOUT=1s", "MOD_COLOUR=red"}, &settings{})
	require.Equal(t, []config.Misspelt{
		{Name: "MOD_COLOUR", Nearest: "MOD_NAME"}, {Name: "POL_TIMEOUT", Nearest: "POOL_TIMEOUT"}, {Name: "POOL_PORT", Nearest: "POOL_URL"}, {Name: "POOL_ULR", Nearest: "POOL_URL"},
	}, list)
	require.Equal(t, "POOL_ULR is not a setting; did you mean POOL_URL?", list[3].String())
}
