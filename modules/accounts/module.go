package accounts

import (
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
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs"
	"gpatlas/platform/mail"
	"gpatlas/platform/module"
)

// Module hands the accounts to the container. It needs *database.DB, clock.Clock, *slog.Logger, *jobs.Enqueuer and
// mail.Sender.
var Module = fx.Module(
	"accounts",
	fx.Provide(
		newVerifier, newBrowserVerifier,
		fx.Annotate(user.NewDirectory, fx.As(new(accountsapi.Directory)), fx.As(new(accountsapi.Plans))),
		fx.Annotate(manifest, fx.ResultTags(`group:"manifests"`)),
	),
	fx.Provide(
		fx.Private,
		user.NewStore, throttle.NewStore, throttle.NewService, onboarding.NewService,
		newHasher, newSchools, newSessions, newRegistration,
		mailtoken.NewStore, newMailer, newVerification, newReset, newDeletion, newExport, newSchool, newTrial,
		watchlist.NewService, collection.NewService, newSavedSearches, activity.NewService,
		fx.Annotate(func(s *savedsearch.Service) accountsapi.Exporter { return s }, fx.ResultTags(`group:"exporters"`)),
		fx.Annotate(func(s *watchlist.Service) accountsapi.Exporter { return s }, fx.ResultTags(`group:"exporters"`)),
		fx.Annotate(func(s *collection.Service) accountsapi.Exporter { return s }, fx.ResultTags(`group:"exporters"`)),
	),
)

// operations are the slices of the module, each with its own.
type operations struct {
	fx.In

	Registration *register.Service
	Sessions     *session.Service
	Onboarding   *onboarding.Service
	Verification *verification.Service
	Reset        *reset.Service
	Deletion     *deletion.Service
	Export       *export.Service
	School       *school.Service
	Trial        *trial.Service
	Watchlist    *watchlist.Service
	Collections  *collection.Service
	Searches     *savedsearch.Service
	Activity     *activity.Service
	Users        *user.Store
	Mailer       *mailing.Mailer
}

func manifest(o operations) module.Manifest {
	return module.Manifest{
		Name: "accounts",
		Routes: slices.Concat([]httpapi.Route{}, register.Routes(o.Registration), session.Routes(o.Sessions), onboarding.Routes(o.Onboarding),
			verification.Routes(o.Verification), reset.Routes(o.Reset), deletion.Routes(o.Deletion), export.Routes(o.Export),
			school.Routes(o.School), trial.Routes(o.Trial),
			watchlist.Routes(o.Watchlist), collection.Routes(o.Collections),
			savedsearch.Routes(o.Searches), activity.Routes(o.Activity)),
		Pages: pages.Pages(pages.Deps{
			Registration: o.Registration, Sessions: o.Sessions, Verification: o.Verification, Reset: o.Reset, Deletion: o.Deletion, Users: o.Users,
		}),
		Models: slices.Concat(user.Models(), session.Models(), throttle.Models(), mailtoken.Models(), watchlist.Models(), collection.Models(),
			savedsearch.Models()),
		Jobs: slices.Concat(session.Jobs(o.Sessions), deletion.Handlers(o.Deletion), trial.Handlers(o.Trial), school.Handlers(o.School),
			[]jobs.Handler{o.Verification.Handler(o.Mailer), o.Reset.Handler(o.Mailer), mailing.NoticeHandler(o.Users, o.Mailer)}),
		Schedules: slices.Concat(session.Schedules(), deletion.Schedules(), trial.Schedules(), school.Schedules()),
	}
}

func newVerifier(sessions *session.Service) auth.SessionVerifier { return sessions }

func newBrowserVerifier(sessions *session.Service) auth.BrowserVerifier { return sessions }

func newHasher(c Config) *password.Hasher { return password.NewHasher(password.OWASP, c.HashesAtOnce) }

func newSchools(c Config) (user.Schools, error) { return c.SchoolList() }

// sessionNeeds is what sessions are made of.
type sessionNeeds struct {
	fx.In

	Config    Config
	DB        *database.DB
	Clock     clock.Clock
	Log       *slog.Logger
	Users     *user.Store
	Passwords *password.Hasher
	Throttle  *throttle.Service
}

func newSessions(n sessionNeeds) (*session.Service, error) {
	keys, err := n.Config.Keyring()
	if err != nil {
		return nil, err
	}
	return session.NewService(session.Deps{
		DB: n.DB, Clock: n.Clock, Log: n.Log, Users: n.Users, Passwords: n.Passwords, Throttle: n.Throttle,
		Signer: token.NewSigner(keys, n.Clock),
	}), nil
}

// registrationNeeds is what registration is made of.
type registrationNeeds struct {
	fx.In

	DB        *database.DB
	Clock     clock.Clock
	Users     *user.Store
	Passwords *password.Hasher
	Sessions  *session.Service
	Jobs      *jobs.Enqueuer
	Schools   user.Schools
}

func newRegistration(n registrationNeeds) *register.Service {
	return register.NewService(register.Deps{
		DB: n.DB, Clock: n.Clock, Users: n.Users, Passwords: n.Passwords, Sessions: n.Sessions, Jobs: n.Jobs, Schools: n.Schools,
	})
}

func newMailer(c Config, sender mail.Sender) (*mailing.Mailer, error) {
	links, err := mailing.ParsePages(c.PublicAppURL)
	return mailing.NewMailer(sender, links), err
}

// accountNeeds is what the slices about one's own account are made of.
type accountNeeds struct {
	fx.In

	DB        *database.DB
	Clock     clock.Clock
	Users     *user.Store
	Tokens    *mailtoken.Store
	Passwords *password.Hasher
	Sessions  *session.Service
	Throttle  *throttle.Service
	Jobs      *jobs.Enqueuer
	Schools   user.Schools
	Listeners []accountsapi.Deleted  `group:"account listeners"`
	Exporters []accountsapi.Exporter `group:"exporters"`
}

func newVerification(n accountNeeds) *verification.Service {
	return verification.NewService(verification.Deps{
		DB: n.DB, Clock: n.Clock, Users: n.Users, Tokens: n.Tokens, Throttle: n.Throttle, Jobs: n.Jobs,
	})
}

func newReset(n accountNeeds) *reset.Service {
	return reset.NewService(reset.Deps{
		DB: n.DB, Clock: n.Clock, Users: n.Users, Tokens: n.Tokens, Passwords: n.Passwords, Sessions: n.Sessions,
		Throttle: n.Throttle, Jobs: n.Jobs,
	})
}

func newDeletion(n accountNeeds) *deletion.Service {
	return deletion.NewService(deletion.Deps{
		DB: n.DB, Clock: n.Clock, Users: n.Users, Tokens: n.Tokens, Passwords: n.Passwords, Sessions: n.Sessions,
		Throttle: n.Throttle, Jobs: n.Jobs, Listeners: n.Listeners,
	})
}

func newExport(n accountNeeds) *export.Service {
	return export.NewService(export.Deps{
		DB: n.DB, Clock: n.Clock, Users: n.Users, Tokens: n.Tokens, Throttle: n.Throttle, Jobs: n.Jobs, Exporters: n.Exporters,
	})
}

func newSchool(n accountNeeds) *school.Service {
	return school.NewService(school.Deps{DB: n.DB, Clock: n.Clock, Users: n.Users, Schools: n.Schools})
}

func newSavedSearches(db *database.DB, clk clock.Clock, users *user.Store, search catalogapi.GPSearcher) *savedsearch.Service {
	return savedsearch.NewService(savedsearch.Deps{DB: db, Clock: clk, Users: users, Search: search})
}

func newTrial(n accountNeeds) *trial.Service {
	return trial.NewService(trial.Deps{DB: n.DB, Clock: n.Clock, Jobs: n.Jobs})
}
