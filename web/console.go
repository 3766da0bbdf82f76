package web

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/auth"
	"gpatlas/platform/console"
	"gpatlas/platform/httpapi"
	templates "gpatlas/templates/console"
	webconsole "gpatlas/web/console"
)

// addConsole serves the modules' pages for people. They have the limits of pages; what they load has none.
func (a *App) addConsole(pages []console.Page, panels []console.Panel) (err error) {
	a.console, err = webconsole.New(webconsole.Options{
		Sessions: a.options.Browsers, AppURL: a.options.Config.AppURL, APIURL: a.options.Config.PublicURL, Logger: a.options.Logger,
		Limit: a.pipeline.admission.overLimit, Unpack: bodies{limit: a.options.Config.BodyLimit}.unpack, API: newInside(a.Fiber, a.API), Clock: a.options.Clock,
	})
	if err != nil {
		return err
	}
	return a.console.Mount(a.Fiber, pages, panels, func(f templates.Asset) fiber.Handler { return fixed(f.Type, []byte(f.Text)) })
}

// overLimit counts a request for the caller that its page has identified, and puts the limits on the response. It returns why
// the request is refused; "" lets it pass.
func (a *admission) overLimit(c *fiber.Ctx) (refused string) {
	if a.limiter == nil {
		return ""
	}
	ctx := c.UserContext()
	d := a.limiter.AllowPage(ctx, auth.From(ctx))
	if d.None {
		return ""
	}
	a.show(c, &d)
	if d.Allowed {
		return ""
	}
	c.Response().Header.Set(fiber.HeaderRetryAfter, strconv.FormatInt(httpapi.WholeSeconds(d.RetryAfter), 10))
	return a.sentence(&d)
}
