// Package collection stores named groups of GPs.
package collection

import (
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"gpatlas/platform/apperr"
	"gpatlas/platform/plaintext"
)

// The limits per account.
const (
	PerUser        = 20  // collections
	ItemsMax       = 500 // in one collection
	descriptionMax = 1000
)

// Collection is GPs under a name.
//
// Spec: beside name, description and item_count the fields are not shown.
type Collection struct {
	ID          string    `json:"id" format:"uuid" doc:"ID of the collection." example:"0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60"`
	Name        string    `json:"name" doc:"Name given by the owner." example:"Boston buyout"`
	Description *string   `json:"description" doc:"Description. Null if there is none." example:"Managers to meet in spring"`
	ItemCount   int       `json:"item_count" doc:"Number of GPs in the collection." example:"1"`
	CreatedAt   time.Time `json:"created_at" doc:"When the collection was created (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	UpdatedAt   time.Time `json:"updated_at" doc:"Last change of the name, the description or the GPs (UTC)." example:"2026-11-20T09:45:00.000000Z"`
}

// Item is a GP in a collection.
//
// Spec: the fields are not shown; everything but the CRD number is read from the catalog.
type Item struct {
	CRD     string    `json:"crd" doc:"CRD number of the GP." example:"900001"`
	GPName  *string   `json:"gp_name" doc:"Legal name of the GP. Null if the catalog does not list the GP any more. Source: Form ADV, item 1.A." example:"Harbor Ridge Capital Partners LLC"`
	City    *string   `json:"city" doc:"City of the GP's principal office. Null if unknown. Source: Form ADV, item 1.F." example:"Boston"`
	State   *string   `json:"state" doc:"State of the GP's principal office. Null if unknown. Source: Form ADV, item 1.F." example:"MA"`
	AddedAt time.Time `json:"added_at" doc:"When the GP was added (UTC)." example:"2026-11-20T09:45:00.000000Z"`
}

// SchemaName is its name in the OpenAPI document.
func (Item) SchemaName() string { return "CollectionItem" }

// Full is a collection with a page of its GPs.
type Full struct {
	Collection

	Items []Item `json:"items" doc:"GPs in the collection, last added first."`
}

// SchemaName is its name in the OpenAPI document.
func (Full) SchemaName() string { return "CollectionWithItems" }

// The refusals. Another account's collection is answered like one that does not exist.
var (
	errNoCollection = apperr.NotFound("Collection not found")
	errGone         = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errNothing      = apperr.Invalid(apperr.FieldError{Field: "body", Message: "must have name or description"})
	// Spec: not shown how an exceeded limit is answered; it is a conflict, because removing something resolves it.
	errTooMany      = apperr.New(apperr.KindConflict, "An account can have at most %d collections; delete one first", PerUser)
	errFull         = apperr.New(apperr.KindConflict, "A collection can have at most %d GPs; remove one first", ItemsMax)
	errTooManyItems = apperr.New(apperr.KindConflict, "A collection can have at most %d GPs, and these would be more; nothing was added", ItemsMax)
	// Spec: not shown whether names are unique; they are, ignoring case, because people distinguish collections by name.
	errTaken = apperr.New(apperr.KindConflict, "You already have a collection with this name")
)

func errThere(crd string) error {
	return apperr.New(apperr.KindConflict, "GP with CRD %s is already in this collection", crd)
}

func errNotThere(crd string) error {
	return apperr.NotFound("GP with CRD %s is not in this collection", crd)
}

// cleanDescription trims a description and reports what is wrong with it; nil for an empty one. It may have several lines.
//
// Spec: lengths are not shown; a name has 1 to 100 characters, a description up to 1,000.
func cleanDescription(text string) (*string, error) {
	text = strings.TrimSpace(text)
	var fault string
	switch {
	case text == "":
		return nil, nil //nolint:nilnil // none
	case utf8.RuneCountInString(text) > descriptionMax:
		fault = "must have at most 1000 characters"
	default:
		fault = plaintext.Fault(text)
	}
	if fault != "" {
		return nil, apperr.Invalid(apperr.FieldError{Field: "description", Message: fault})
	}
	return &text, nil
}

// nameKey is the form of a name by which it is unique.
func nameKey(name string) string { return strings.ToLower(norm.NFKC.String(name)) }
