package accounts

import (
	"fmt"
	"log/slog"
	"slices"

	"go.uber.org/fx"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/accounts/internal/activity"
	"gpatlas/modules/accounts/internal/collection"
	"gpatlas/modules/accounts/internal/deletion"
	"gpatlas/modules/accounts/internal/export"
	"gpatlas/modules/accounts/internal/mailing"
	"gpatlas/modules/accounts/internal/mailtoken"
	"gpatlas/modules/accounts/internal/onboarding"
	"gpatlas/modules/accounts/internal/pages"
	"gpatlas/modules/accounts/internal/password"
	"gpatlas/modules/accounts/internal/register"
	"gpatlas/modules/accounts/internal/reset"
	"gpatlas/modules/accounts/internal/savedsearch"
	"gpatlas/modules/accounts/internal/school"
	"gpatlas/modules/accounts/internal/session"
	"gpatlas/modules/accounts/internal/throttle"
	"gpatlas/modules/accounts/internal/token"
	"gpatlas/modules/accounts/internal/trial"
	"gpatlas/modules/accounts/internal/user"
	"gpatlas/modules/accounts/internal/verification"
	"gpatlas/modules/accounts/internal/watchlist"
	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
)

// Module provides accounts to the container. It needs its Config, *database.DB, clock.Clock, *slog.Logger, *jobs.Enqueuer,
// mail.Sender, catalogapi.GPSearcher, and the personal-data parts of all modules.
var Module = fx.Module(
	"accounts",
	fx.Provide(
		fx.Annotate(newDirectory, fx.As(new(accountsapi.Directory)), fx.As(new(accountsapi.Plans))),
		newPublicURL,
		fx.Annotate(build, fx.ResultTags("", "", `group:"manifests"`)),
	),
)

func newDirectory(db *database.DB, clk clock.Clock) *user.Directory {
	return user.NewDirectory(user.NewStore(db), clk)
}

func newPublicURL(c Config) (accountsapi.PublicURL, error) {
	pages, err := mailing.ParsePages(c.PublicAppURL)
	return pages.Base(), err
}

// build makes the module's slices. The constructors only assign.
func build(
	c Config, db *database.DB, clk clock.Clock, log *slog.Logger, queue *jobs.Enqueuer, sender mail.Sender,
	search catalogapi.GPSearcher, personal *module.Personal,
) (auth.SessionVerifier, auth.BrowserVerifier, module.Manifest, error) {
	none := module.Manifest{}
	keys, err := c.Keyring()
	if err != nil {
		return nil, nil, none, err
	}
	schools, err := c.SchoolList()
	if err != nil {
		return nil, nil, none, err
	}
	links, err := mailing.ParsePages(c.PublicAppURL)
	if err != nil {
		return nil, nil, none, err
	}
	users, passwords := user.NewStore(db), password.NewHasher(password.OWASP, c.HashesAtOnce)
	mailer, attempts := mailing.NewMailer(sender, links), throttle.NewService(throttle.NewStore(db), clk)
	sessions := session.NewService(db, clk, log, passwords, attempts, token.NewSigner(keys, clk))
	if c.GeoIPFile != "" {
		places, err := session.OpenGeoIP(c.GeoIPFile)
		if err != nil {
			return nil, nil, none, fmt.Errorf("ACCOUNTS_GEOIP_FILE: %w", err)
		}
		sessions.Locator = places
	}
	registration := register.NewService(db, clk, passwords, sessions, attempts, queue, schools)
	verifier := verification.NewService(db, clk, attempts, queue)
	resets := reset.NewService(db, clk, passwords, sessions, attempts, queue)
	deletions := deletion.NewService(db, clk, passwords, sessions, attempts, queue, personal)
	return sessions, sessions, module.New("accounts",
		module.Part{Models: slices.Concat(user.Models(), throttle.Models())},
		sessions.Part(),
		registration.Part(),
		onboarding.NewService(users, clk).Part(),
		verifier.Part(),
		resets.Part(),
		mailtoken.Part(db, clk, mailer),
		deletions.Part(),
		mailing.Part(users, mailer),
		export.NewService(db, clk, attempts, queue, personal).Part(),
		school.NewService(db, clk, schools).Part(),
		trial.NewService(db, clk, queue).Part(),
		watchlist.NewService(db, clk).Part(),
		collection.NewService(db, clk).Part(),
		savedsearch.NewService(db, clk, search).Part(),
		activity.NewService(db, clk, log).Part(),
		pages.Part(registration, sessions, verifier, resets, deletions, users, clk),
	), nil
}
