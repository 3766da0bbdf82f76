package career

import (
	"context"
	"net/http"

	"gpatlas/modules/catalog/catalogapi"
	"gpatlas/modules/people/internal/person"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations on careers.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get("/v1/people/{person_uid}/history", "get-person-history", s.handleHistory,
			httpapi.Summary("Get the career of a person"), httpapi.Describe(historyText), httpapi.Charge(price, charge.PerRequest), httpapi.Sells(Product), httpapi.HidesMissing(),
			httpapi.Errors(http.StatusNotFound), httpapi.Refuses(unread.ErrPerson)),
		httpapi.Post("/v1/gps/{crd}/careers/unlock-all", "unlock-gp-careers", s.handleUnlock,
			httpapi.Summary("Unlock the careers of a fund manager's people"), httpapi.Describe(unlockText), httpapi.Charge(price, charge.PerPerson),
			httpapi.Sells(Product), httpapi.Bulk(bulkPrice), httpapi.Unlock(), httpapi.Grant(httpapi.Login), httpapi.KeyToo(),
			httpapi.Errors(http.StatusUnauthorized, http.StatusNotFound), httpapi.Refuses(unread.ErrFirm)),
	}, httpapi.Tag("People"), httpapi.Volatile())
}

const historyText = `Lists the education and the employment of a person, each with the earliest first. Filings show the titles at each manager over the years, and between which filings one ended. Education and other employment come from providers. Only people of managers that were enriched have a history, and people that the account has bought with a team, its alumni or careers; all others are 404. An account pays for a career once: reading it again is free. A former ID leads to the person. With a test key, every ID has a history, which is invented, managers and dates included, and nothing is charged.`

const unlockText = `Buys the careers of people whose names the account has bought with the manager's team or alumni, and returns them, those bought before included. People whose names it has bought with another manager count once it has read them here, which is free. Without ` + "`person_ids`" + ` these are all of them. ` + "`GET /v1/people/{person_uid}/history`" + ` is then free for them. A charge above the account's one-click threshold needs ` + "`confirm`" + `. With a test key, histories are invented, ` + "`person_ids`" + ` are those of the team and the alumni that test keys see, and nothing is charged.`

type historyBody = httpapi.Data[History]

func (s *Service) handleHistory(ctx context.Context, in *person.UID) (*httpapi.Reply[historyBody], error) {
	h, unit, crd, err := s.history(ctx, in.PersonUID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[historyBody]{Body: historyBody{Data: h}, Units: []string{unit}, CRD: crd}, nil
}

// UnlockInput selects the careers to buy.
type UnlockInput struct {
	catalogapi.GPPath
	Body struct {
		PersonIDs []string `json:"person_ids,omitempty" minItems:"1" maxItems:"1000" doc:"IDs of people on the team or among the alumni, bought before. Default: everybody there whom the account has bought." example:"[\"per_k3v7q2mz5xw4n6ta\"]"`
		Confirm   *bool    `json:"confirm,omitempty" doc:"Buy even if the charge is above the one-click threshold." example:"true"`
	}
}

// UnlockMeta describes what was bought.
type UnlockMeta struct {
	Returned     int `json:"returned" doc:"Careers in this response." example:"6"`
	AlreadyOwned int `json:"already_owned" doc:"Of those, careers that the account had bought when the request began. They are free." example:"2"`
	Unlocked     int `json:"unlocked" doc:"Of those, careers that it had not bought then. A request at the same time may have bought them: X-Charge shows what was charged." example:"4"`
}

// SchemaName is its name in the OpenAPI document.
func (UnlockMeta) SchemaName() string { return "CareersUnlockMeta" }

type unlockBody = httpapi.DataMeta[[]History, UnlockMeta]

func (s *Service) handleUnlock(ctx context.Context, in *UnlockInput) (*httpapi.Reply[unlockBody], error) {
	list, units, err := s.unlock(ctx, in.CRD, in.Body.PersonIDs)
	if err != nil {
		return nil, err
	}
	meta := UnlockMeta{Returned: len(list)}
	for i := range list {
		if list[i].PaidBefore {
			meta.AlreadyOwned++
		}
	}
	if !testing(ctx) {
		meta.Unlocked = meta.Returned - meta.AlreadyOwned
	}
	return &httpapi.Reply[unlockBody]{
		Body: unlockBody{Data: list, Meta: meta}, Units: units, Confirmed: in.Body.Confirm != nil && *in.Body.Confirm,
	}, nil
}
