package idempotency

import (
	"time"

	"go.uber.org/fx"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/module"
)

// ForgetJob removes the requests whose 24 hours are over.
const ForgetJob = "idempotency.forget_requests"

// Module provides the keeper to the container. It needs *database.DB, clock.Clock and Secrets.
var Module = fx.Module(
	"idempotency",
	fx.Provide(
		New,
		func(k *Keeper) httpapi.Keeper { return k },
		fx.Annotate(manifest, fx.ResultTags(`group:"manifests"`)),
	),
)

func manifest(k *Keeper) module.Manifest {
	return module.New("idempotency", module.Part{
		Jobs:       []jobs.Handler{{Type: ForgetJob, Queue: jobs.Low, Retries: 3, Run: jobs.Plain(k.Forget)}},
		Schedules:  []jobs.Schedule{{Type: ForgetJob, Cron: "25 * * * *", Bucket: func(t time.Time) string { return t.UTC().Format("2006-01-02T15") }}},
		Models:     []any{row{}},
		Deleted:    []module.AccountListener{k.ForgetAccount},
		Purged:     []module.AccountListener{k.ForgetAccount},
		Background: []module.Background{k},
	})
}
