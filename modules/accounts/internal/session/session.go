// Package session signs accounts in, and keeps their sessions with access and refresh tokens. Every request of a session looks it up in
// the database, so a session that has ended is refused on the next call.
package session

import (
	"net/netip"
	"time"

	"gpatlas/platform/apperr"
)

const (
	// RefreshLifetime is how long a refresh token is valid; each use returns a new one, so a session continues as long as it is
	// used once in this time.
	RefreshLifetime = 30 * 24 * time.Hour
	// reuseGrace is how long a used refresh token may come back without ending its session.
	//
	// Spec: not shown; a used refresh token ends its session, because it may be stolen. But two windows of one browser, or
	// a client that repeats a request without a response, send it twice within a moment. For ten seconds, a second use is only refused.
	reuseGrace = 10 * time.Second
	// touchInterval is how much later a session must be used again for last_active to be written again.
	touchInterval = time.Minute
	tokenType     = "Bearer"
)

// Reason is why a session has ended.
type Reason string

// The reasons, as they are stored.
const (
	ByLogout   Reason = "logout"
	ByLogin    Reason = "login"    // a newer sign-in: one device at a time
	ByUser     Reason = "user"     // from the list of sessions
	ByPassword Reason = "password" // the password was reset
	ByDeletion Reason = "deletion" // the account was deleted
	ByReuse    Reason = "reuse"    // a used refresh token came back
	ByOperator Reason = "operator"
)

// Client is what a session is opened from.
type Client struct {
	Address   netip.Addr // invalid if there is none (a Unix socket)
	UserAgent string
	// Browser asks for a browser's session: a secret for its cookie, and no tokens.
	Browser bool
}

// Locator finds the place of an IP address, such as "Boston, US". ok is false if the place is unknown.
type Locator interface {
	Locate(address netip.Addr) (place string, ok bool)
}

// Nowhere is the Locator of a service without a GeoIP database.
type Nowhere struct{}

// Locate finds no place.
func (Nowhere) Locate(netip.Addr) (string, bool) { return "", false }

// Tokens are the credentials of a session, as they are handed out.
type Tokens struct {
	AccessToken  string `json:"access_token" doc:"Send it as Authorization: Bearer on account operations. Valid for expires_in seconds, but not longer than its session." example:"eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl"`
	RefreshToken string `json:"refresh_token" doc:"Exchange it for new tokens, once, within 30 days." example:"gpar_3q2-7w"`
	TokenType    string `json:"token_type" enum:"Bearer" doc:"How to send the access token." example:"Bearer"`
	ExpiresIn    int    `json:"expires_in" doc:"Lifetime of the access token in seconds." example:"900"`
	SessionID    string `json:"session_id" doc:"ID of the session that the tokens belong to." example:"sess_4k2m7qz5x3n6v8b2c4l7w3t5ya"`
	// BrowserSecret replaces all of these in a browser's session. No operation returns it.
	BrowserSecret string `json:"-"`
}

// Session is a signed-in device as its owner reads it.
type Session struct {
	ID         string    `json:"id" doc:"ID of the session. Begins with sess_." example:"sess_4k2m7qz5x3n6v8b2c4l7w3t5ya"`
	Device     string    `json:"device" doc:"Browser and system, or name of the program, from the user agent of the sign-in." example:"Firefox on Linux"`
	IPAddress  string    `json:"ip_address" doc:"IP address of the sign-in, or unknown if the connection had none." example:"203.0.113.7"`
	Location   *string   `json:"location" doc:"Location of the IP address, from a GeoIP database. Null without such a database." example:"Boston, US"`
	CreatedAt  time.Time `json:"created_at" doc:"Time of the sign-in (UTC)." example:"2026-11-20T09:30:00.000000Z"`
	LastActive time.Time `json:"last_active" doc:"Last use (UTC), to the minute." example:"2026-11-20T09:45:00.000000Z"`
	IsCurrent  bool      `json:"is_current" doc:"Whether this is the session of the request." example:"true"`
}

// The messages that callers read. There is one for each status, whatever the reason.
var (
	errCredentials = apperr.New(apperr.KindUnauthenticated, "Incorrect email address or password")
	errInvalid     = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
	errNoSession   = apperr.NotFound("There is no such session")
)

const throttledText = "Too many failed sign-ins; try again later"
