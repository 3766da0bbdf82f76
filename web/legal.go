package web

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/httpapi"
	"gpatlas/platform/plaintext"
	"gpatlas/templates/legal"
)

// LegalConfig names the operator of the service; the prefix is LEGAL_. Unset values are null in /v1/legal/entity-info.
type LegalConfig struct {
	Name          string `env:"NAME"`           // name of the legal entity that operates the service
	Address       string `env:"ADDRESS"`        // its postal address
	Country       string `env:"COUNTRY"`        // its country
	Registration  string `env:"REGISTRATION"`   // its register and number
	GeneralEmail  string `env:"GENERAL_EMAIL"`  // address for questions
	PrivacyEmail  string `env:"PRIVACY_EMAIL"`  // address for questions about personal data
	LegalEmail    string `env:"LEGAL_EMAIL"`    // address for legal notices
	SecurityEmail string `env:"SECURITY_EMAIL"` // address for reports of vulnerabilities
}

// validate requires valid email addresses.
func (c LegalConfig) validate() error {
	var errs []error
	for name, address := range map[string]string{
		"GENERAL": c.GeneralEmail, "PRIVACY": c.PrivacyEmail, "LEGAL": c.LegalEmail, "SECURITY": c.SecurityEmail,
	} {
		if parsed, err := mail.ParseAddress(address); address != "" && (err != nil || parsed.Address != address) {
			errs = append(errs, fmt.Errorf("LEGAL_%s_EMAIL: %q is not an email address", name, address))
		}
	}
	return errors.Join(errs...)
}

// LegalEntity is the operator of the service.
type LegalEntity struct {
	LegalName    *string       `json:"legal_name" doc:"Null if the operator has not named itself." example:"Larkspur Data LLC"`
	Address      *string       `json:"address" doc:"Postal address of the company. Null: not published." example:"1 Harbor Street, Denver, CO 80202"`
	Country      *string       `json:"country" doc:"Country of the company. Null: not published." example:"United States"`
	Registration *string       `json:"registration" doc:"Register and number." example:"Colorado 20261234567"`
	Contacts     LegalContacts `json:"contacts" doc:"Addresses for mail, by subject."`
}

// LegalContacts are email addresses.
type LegalContacts struct {
	General  *string `json:"general" format:"email" doc:"For everything else. Null: not published." example:"hello@larkspur.example"`
	Privacy  *string `json:"privacy" format:"email" doc:"For questions about personal data." example:"privacy@larkspur.example"`
	Legal    *string `json:"legal" format:"email" doc:"For legal notices." example:"legal@larkspur.example"`
	Security *string `json:"security" format:"email" doc:"For reports of vulnerabilities." example:"security@larkspur.example"`
}

// PrivacyNotice is the placeholder for the privacy policy.
type PrivacyNotice struct {
	Status  string  `json:"status" enum:"placeholder" doc:"Always placeholder: the policy is not published yet." example:"placeholder"`
	Message string  `json:"message" doc:"The same, in words." example:"The privacy policy is not published yet."`
	Contact *string `json:"contact" format:"email" doc:"For questions about personal data. Null if the operator has set none." example:"privacy@larkspur.example"`
}

const termsPath = "/v1/legal/terms"

// linksTerms documents the header that termsLink sets.
func linksTerms() httpapi.Option {
	return httpapi.Sends(fiber.HeaderLink, "Where the terms of service are.", `<`+termsPath+`>; rel="terms-of-service"`)
}

func termsLink(c Config) map[string]string {
	return map[string]string{fiber.HeaderLink: "<" + strings.TrimSuffix(c.PublicURL, "/") + termsPath + `>; rel="terms-of-service"`}
}

// legalTexts declares the legal documents. They are read without a credential, whatever the access policy.
func legalTexts(c Config) ([]httpapi.Route, error) {
	version, err := legal.VersionOf(legal.Terms)
	if err != nil {
		return nil, err
	}
	routes := []httpapi.Route{
		httpapi.Get("/v1/legal/entity-info", "get-legal-entity", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.Data[LegalEntity]], error) {
			l := c.Legal
			return &httpapi.Reply[httpapi.Data[LegalEntity]]{Header: termsLink(c), Body: httpapi.Data[LegalEntity]{Data: LegalEntity{
				LegalName: plaintext.Optional(l.Name), Address: plaintext.Optional(l.Address), Country: plaintext.Optional(l.Country), Registration: plaintext.Optional(l.Registration),
				Contacts: LegalContacts{General: plaintext.Optional(l.GeneralEmail), Privacy: plaintext.Optional(l.PrivacyEmail), Legal: plaintext.Optional(l.LegalEmail), Security: plaintext.Optional(l.SecurityEmail)},
			}}}, nil
		}, httpapi.Summary("Get the operator of the service"), httpapi.Describe("Returns the name and the addresses of the legal entity. Fields that the operator has not set are null.")),

		httpapi.Get(termsPath, "get-terms", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.Bytes], error) {
			return &httpapi.Reply[httpapi.Bytes]{Header: termsLink(c), Raw: legal.Terms}, nil
		}, httpapi.Produces("text/markdown; charset=utf-8"), httpapi.Examples(string(legal.Terms)), httpapi.Summary("Get the terms of service"),
			httpapi.Describe("Returns a Markdown document. Its front matter has the version and its dates.")),

		httpapi.Get(termsPath+"/version", "get-terms-version", func(context.Context, *struct{}) (*httpapi.Reply[legal.Version], error) {
			return &httpapi.Reply[legal.Version]{Header: termsLink(c), Body: version}, nil
		}, httpapi.Summary("Get the version of the terms"), httpapi.Describe("Returns what the front matter of the terms says.")),

		httpapi.Get("/v1/legal/privacy", "get-privacy", func(context.Context, *struct{}) (*httpapi.Reply[httpapi.Data[PrivacyNotice]], error) {
			header := termsLink(c)
			header["X-Robots-Tag"] = "noindex"
			return &httpapi.Reply[httpapi.Data[PrivacyNotice]]{Header: header, Body: httpapi.Data[PrivacyNotice]{Data: PrivacyNotice{
				Status: "placeholder", Message: "The privacy policy is not published yet.", Contact: plaintext.Optional(c.Legal.PrivacyEmail),
			}}}, nil
		}, httpapi.Sends("X-Robots-Tag", "Search engines do not list a placeholder.", "noindex"), httpapi.Summary("Get the privacy notice"),
			httpapi.Describe("Returns a placeholder: the privacy policy is not written yet.")),
	}
	return httpapi.Group(routes, httpapi.Tag("Legal"), httpapi.AlwaysOpen(), linksTerms()), nil
}
