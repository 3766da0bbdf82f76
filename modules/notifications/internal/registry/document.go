package registry

import (
	"context"
	"fmt"
	"reflect"

	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
)

// version is the version of the registry document's format.
const version = 1

// Entry is a kind as it is created, imported and exported.
type Entry struct {
	ID          string  `json:"id" pattern:"^[a-z][a-z0-9]*(_[a-z0-9]+)*$" patternDescription:"snake_case: lower-case letters and digits in words joined by single underscores, beginning with a letter" maxLength:"50" doc:"ID: unique, in snake_case. analytics, export, import, stats, summary, table and test are reserved." example:"maintenance_notice"`
	Name        string  `json:"name" minLength:"1" maxLength:"100" doc:"Name for administrators." example:"Maintenance notice"`
	Description string  `json:"description,omitempty" maxLength:"300" doc:"What the email says and when it is sent." example:"Sent before planned maintenance."`
	Category    string  `json:"category" enum:"account,billing,activity_digest,market_intel,product" doc:"Category that recipients can refuse. account cannot be refused. The category of a built-in notification cannot be changed." example:"product"`
	Enabled     *bool   `json:"enabled,omitempty" default:"true" doc:"Whether it is sent. Notifications of category account cannot be disabled." example:"true"`
	MaxPerDay   *int    `json:"max_per_day,omitempty" minimum:"1" maximum:"100" doc:"Most emails of this kind to one account in a day (UTC). Default 1 in the categories activity_digest and market_intel, otherwise 5." example:"5"`
	Subject     *string `json:"subject,omitempty" minLength:"1" maxLength:"120" doc:"Subject of the email. Required, but must not be set for built-in notifications." example:"Maintenance on Sunday"`
	Text        *string `json:"text,omitempty" minLength:"1" maxLength:"2000" doc:"Text of the email: plain text. An empty line begins a new paragraph; a paragraph that is a URL becomes a link. Greeting and footer are added. Required, but must not be set for built-in notifications." example:"The service is unavailable on Sunday from 6:00 to 7:00 UTC."`
}

// SchemaName is its name in the OpenAPI document.
func (Entry) SchemaName() string { return "NotificationEntry" }

// settings are the entry with its defaults.
func (e Entry) settings() settings {
	s := settings{
		ID: e.ID, Name: e.Name, Description: e.Description, Category: e.Category, Enabled: e.Enabled == nil || *e.Enabled,
		MaxPerDay: perDay(e.Category), Subject: e.Subject, Text: e.Text,
	}
	if e.MaxPerDay != nil {
		s.MaxPerDay = *e.MaxPerDay
	}
	s.clean()
	return s
}

func (n Notification) entry() Entry {
	return Entry{
		ID: n.ID, Name: n.Name, Description: n.Description, Category: n.Category, Enabled: &n.Enabled, MaxPerDay: &n.MaxPerDay,
		Subject: n.Subject, Text: n.Text,
	}
}

func (n Notification) settings() settings { return n.entry().settings() }

// Change is a change of a kind.
//
// Spec: not shown how PUT treats omitted fields. They keep their value, like those of one's own preferences.
type Change struct {
	Name        httpapi.Opt[string] `json:"name,omitzero" minLength:"1" maxLength:"100" doc:"Name for administrators." example:"Maintenance notice"`
	Description httpapi.Opt[string] `json:"description,omitzero" maxLength:"300" doc:"What the email says and when it is sent." example:"Sent before planned maintenance."`
	Category    httpapi.Opt[string] `json:"category,omitzero" enum:"account,billing,activity_digest,market_intel,product" doc:"Category that recipients can refuse. That of a built-in notification cannot be changed." example:"product"`
	Enabled     httpapi.Opt[bool]   `json:"enabled,omitzero" doc:"Whether it is sent. Notifications of category account cannot be disabled." example:"true"`
	MaxPerDay   httpapi.Opt[int]    `json:"max_per_day,omitzero" minimum:"1" maximum:"100" doc:"Most emails of this kind to one account in a day (UTC)." example:"2"`
	Subject     httpapi.Opt[string] `json:"subject,omitzero" minLength:"1" maxLength:"120" doc:"Subject of the email. Built-in notifications have none of their own." example:"Maintenance on Sunday"`
	Text        httpapi.Opt[string] `json:"text,omitzero" minLength:"1" maxLength:"2000" doc:"Text of the email, as in the creation." example:"The service is unavailable on Sunday from 7:00 to 8:00 UTC."`
}

// SchemaName is its name in the OpenAPI document.
func (Change) SchemaName() string { return "NotificationChange" }

// on is a kind with the change.
func (c Change) on(n Notification) settings {
	s := n.settings()
	s.Name, s.Description, s.Category = c.Name.Or(s.Name), c.Description.Or(s.Description), c.Category.Or(s.Category)
	s.Enabled, s.MaxPerDay = c.Enabled.Or(s.Enabled), c.MaxPerDay.Or(s.MaxPerDay)
	if c.Subject.Set {
		s.Subject = c.Subject.Ptr()
	}
	if c.Text.Set {
		s.Text = c.Text.Ptr()
	}
	return s
}

// Document is the whole registry, as it is exported and imported.
type Document struct {
	Version       int     `json:"version" enum:"1" doc:"Version of the format." example:"1"`
	Notifications []Entry `json:"notifications" nullable:"false" doc:"Notifications, by ID."`
}

// SchemaName is its name in the OpenAPI document.
func (Document) SchemaName() string { return "NotificationRegistry" }

// Faults are all faults of a document, each with its entry and its field.
func (d *Document) Faults() []apperr.FieldError {
	var list []apperr.FieldError
	if d.Version != version {
		list = append(list, apperr.FieldError{Field: "version", Message: fmt.Sprintf("must be %d", version)})
	}
	first, added := map[string]int{}, 0
	for i, e := range d.Notifications {
		at := fmt.Sprintf("notifications[%d].", i)
		s := e.settings()
		list = append(list, s.faults(at)...)
		if alwaysOn(s) {
			list = append(list, apperr.FieldError{Field: at + "enabled", Message: "must be true: notifications of category account cannot be disabled"})
		}
		if before, twice := first[e.ID]; twice {
			list = append(list, apperr.FieldError{Field: at + "id", Message: fmt.Sprintf("is the ID of notifications[%d] too", before)})
		} else {
			first[e.ID] = i
		}
		if _, builtIn := builtIns()[e.ID]; !builtIn {
			added++
		}
	}
	if added > customMax {
		list = append(list, apperr.FieldError{
			Field: "notifications", Message: fmt.Sprintf("must not contain more than %d besides the built-in ones", customMax),
		})
	}
	return list
}

// Imported counts the results of an import.
type Imported struct {
	Total     int `json:"total" doc:"Notifications in the registry now." example:"6"`
	Created   int `json:"created" doc:"Notifications that were added." example:"1"`
	Updated   int `json:"updated" doc:"Notifications that were changed to the values of the document." example:"1"`
	Unchanged int `json:"unchanged" doc:"Notifications of the document that had its values already." example:"4"`
	Reset     int `json:"reset" doc:"Built-in notifications that the document does not contain and that were reset to their defaults." example:"0"`
	Deleted   int `json:"deleted" doc:"Notifications that the document does not contain and that were deleted." example:"0"`
}

// SchemaName is its name in the OpenAPI document.
func (Imported) SchemaName() string { return "NotificationImport" }

// Export returns the registry as a document. Importing it changes nothing.
func (s *Service) Export(ctx context.Context) (*Document, error) {
	list, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	d := &Document{Version: version, Notifications: make([]Entry, 0, len(list))}
	for _, n := range list {
		d.Notifications = append(d.Notifications, n.entry())
	}
	return d, nil
}

// Import makes the registry equal to a document, all or nothing. Unless merged is set, kinds that the document does not contain
// are deleted; built-in kinds are reset to their defaults instead.
func (s *Service) Import(ctx context.Context, by int64, d *Document, merged bool) (Imported, error) {
	if list := d.Faults(); list != nil {
		return Imported{}, apperr.Invalid(list...)
	}
	var done Imported
	err := s.change(ctx, "import", func(ctx context.Context, all map[string]Notification) error {
		done = Imported{}
		wanted := map[string]settings{}
		for _, e := range d.Notifications {
			wanted[e.ID] = e.settings()
		}
		for id := range all {
			if _, named := wanted[id]; named {
				continue
			}
			own, builtIn := builtIns()[id]
			switch {
			case merged: // stays
			case !builtIn:
				done.Deleted++
				if err := s.store.remove(ctx, id); err != nil {
					return err
				}
			case !reflect.DeepEqual(own, all[id].settings()):
				done.Reset++
				if err := s.overwrite(ctx, all[id], own, by); err != nil {
					return err
				}
			}
		}
		for id, set := range wanted {
			old, there := all[id]
			switch {
			case there && reflect.DeepEqual(set, old.settings()):
				done.Unchanged++
				continue
			case there:
				done.Updated++
			default:
				done.Created++
			}
			if err := s.overwrite(ctx, old, set, by); err != nil {
				return err
			}
		}
		done.Total = len(all) + done.Created - done.Deleted
		if done.Total-len(builtIns()) > customMax {
			return errTooMany
		}
		return nil
	})
	return done, err
}

// overwrite stores a kind in place of old, which is empty if there was none.
func (s *Service) overwrite(ctx context.Context, old Notification, set settings, by int64) error {
	r := s.row(set, by)
	if old.CreatedAt != nil {
		r.CreatedAt = *old.CreatedAt
	}
	return s.store.save(ctx, r)
}
