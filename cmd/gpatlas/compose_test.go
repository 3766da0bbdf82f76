package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// composed is one service of a compose file, with the fields that the tests read.
type composed struct {
	Image       string            `yaml:"image"`
	Command     []string          `yaml:"command"`
	Environment map[string]string `yaml:"environment"`
}

var variable = regexp.MustCompile(`\$\{([A-Z_]+)(?::-([^}]*)|:\?([^}]*))?\}`)

// fill puts variables into a text of a compose file, as docker compose does.
func fill(t *testing.T, text string, vars []string) string {
	t.Helper()
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		m := variable.FindStringSubmatch(found)
		if v := value(vars, m[1]); v != "" {
			return v
		}
		require.Empty(t, m[3], "%s must be set", m[1])
		return m[2]
	})
}

// Guarantee: a compose file names settings that exist, and the commands that it starts accept its environment when the two
// commands of its head were pasted and nothing else was set. docker itself is not asked.
func TestComposeFile(t *testing.T) {
	t.Parallel()
	for name, ours := range map[string]int{"compose.yaml": 3, "compose.ha.yaml": 5} { // migrate, and web and worker once or twice
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			holdsComposed(t, name, ours)
		})
	}
}

func holdsComposed(t *testing.T, file string, want int) {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	require.NoError(t, err)
	example, err := os.ReadFile("../../.env.example")
	require.NoError(t, err)
	head := regexp.MustCompile(`(?m)^# +(export .+)$`).FindStringSubmatch(string(text))
	require.NotNil(t, head, "the head says what to set")
	given := exported(t, head[1])

	var required []string
	for _, m := range regexp.MustCompile(`\$\{([A-Z_]+):\?`).FindAllStringSubmatch(string(text), -1) {
		required = append(required, m[1])
	}
	slices.Sort(required)
	required = slices.Compact(required)
	require.Len(t, given, len(required), "the head sets what is required: %s", required)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	for _, name := range required {
		require.NotEmpty(t, value(given, name), name)
		require.Contains(t, string(readme), "`"+name+"`", "the README names what compose.yaml needs")
	}

	var composed struct {
		Services map[string]composed `yaml:"services"`
	}
	require.NoError(t, yaml.Unmarshal(text, &composed))
	ours := 0
	for name, service := range composed.Services {
		if service.Image != "gpatlas" {
			continue
		}
		ours++
		var environ []string
		for key, text := range service.Environment {
			require.Contains(t, string(example), "# "+key+"=", "%s: there is no such setting", name)
			environ = append(environ, key+"="+fill(t, text, given))
		}
		p := &program{environ: environ}
		_, err := p.settingsFor()
		require.NoError(t, err, name)
		command, rest, err := p.rootCommand().Find(service.Command)
		require.NoError(t, err)
		require.Equal(t, "gpatlas "+strings.Join(service.Command, " "), command.CommandPath(), "%s: %v is not understood", name, rest)
	}
	require.Equal(t, want, ours)
}

// Guarantee: images are pinned to a minor version or a digest, Redis asks for a password, and one port is published: that of the
// API, not that of the metrics.
func TestComposeIsClosed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../compose.yaml")
	require.NoError(t, err)
	build, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)
	images := 0
	for _, m := range regexp.MustCompile(`(?m)^(?:FROM|\s*image:) (\S+)`).FindAllStringSubmatch(string(text)+string(build), -1) {
		if m[1] != "gpatlas" {
			images++
			require.Regexp(t, `@sha256:|:\d+\.\d+`, m[1])
		}
	}
	require.Equal(t, 4, images)
	require.Equal(t, 1, strings.Count(string(text), "ports:"))
	require.Contains(t, string(text), `:8080"]`)
	require.Contains(t, string(text), "--requirepass")
	require.Regexp(t, `REDIS_URL: redis://:\$\{REDIS_PASSWORD:\?`, string(text))
}
