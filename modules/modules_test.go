package modules_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"

	"gpatlas/modules"
	"gpatlas/platform/module"
)

// kept is a slice that keeps something about people and has background work.
type kept struct {
	name string
	say  func(what string)
}

func (k kept) Start(context.Context) { k.say("start " + k.name) }

func (k kept) Stop(context.Context) error { k.say("stop " + k.name); return nil }

func (k kept) part() module.Part {
	return module.Part{
		Exporters: []module.Exporter{{Name: k.name}}, Deleted: make([]module.AccountListener, 1), Purged: make([]module.AccountListener, 2), Background: []module.Background{k},
		Workers: []module.Background{kept{k.name + " jobs", k.say}},
	}
}

// directory is what one module publishes and the other needs.
type directory struct{ personal *module.Personal }

// A module that exports what all keep may be needed by those that keep it. Manifests come by name, whatever the order of
// the list; background work runs around the host: where requests are answered, or where jobs run.
func TestOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		process module.Process
		want    []string
	}{
		"web": {module.Process{Web: true}, []string{"start a", "start b1", "start b2", "start host", "stop host", "stop b2", "stop b1", "stop a"}},
		"worker": {module.Process{Worker: true}, []string{
			"start a jobs", "start b1 jobs", "start b2 jobs", "start host", "stop host", "stop b2 jobs", "stop b1 jobs", "stop a jobs",
		}},
		"one-off": {module.Process{}, []string{"start host", "stop host"}},
		"dev": {module.Process{Web: true, Worker: true}, []string{
			"start a", "start a jobs", "start b1", "start b2", "start b1 jobs", "start b2 jobs", "start host",
			"stop host", "stop b2 jobs", "stop b1 jobs", "stop b2", "stop b1", "stop a jobs", "stop a",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said []string
			say := func(what string) { said = append(said, what) }
			a := func(personal *module.Personal) (*directory, module.Manifest) {
				require.Empty(t, personal.Exporters)
				return &directory{personal}, module.New("a", kept{"a", say}.part())
			}
			b := func(*directory) module.Manifest {
				return module.New("b", kept{"b1", say}.part(), module.Part{}, kept{"b2", say}.part())
			}
			host := kept{"host", say}
			var manifests []module.Manifest
			var d *directory
			app := fxtest.New(t, fx.NopLogger, fx.Supply(c.process),
				modules.Of(
					fx.Provide(fx.Annotate(b, fx.ResultTags(`group:"manifests"`))),
					fx.Provide(fx.Annotate(a, fx.ResultTags("", `group:"manifests"`))),
				),
				fx.Populate(&d, &manifests),
				fx.Invoke(func(lifecycle fx.Lifecycle, _ []module.Manifest) {
					lifecycle.Append(fx.Hook{OnStart: func(ctx context.Context) error { host.Start(ctx); return nil }, OnStop: host.Stop})
				}),
			)
			require.Equal(t, "a", manifests[0].Name)
			require.Equal(t, "b", manifests[1].Name)
			var names []string
			for _, e := range d.personal.Exporters {
				names = append(names, e.Name)
			}
			require.Equal(t, []string{"a", "b1", "b2"}, names)
			require.Len(t, d.personal.Deleted, 3)
			require.Len(t, d.personal.Purged, 6)
			app.RequireStart()
			app.RequireStop()
			require.Equal(t, c.want, said)
		})
	}
}
