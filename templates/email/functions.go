package email

import (
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gpatlas/platform/charge"
)

// functions are what templates can use beside their data.
var functions = map[string]any{
	"greeting": greeting,
	"instant":  instant,
	"day":      day,
	"action":   func(address, label string) action { return action{address, label} },
	"link":     absolute,

	"count":       Count,
	"thousands":   Thousands,
	"unsubscribe": unsubscribe,
}

// action is a button.
type action struct{ URL, Label string }

// nameMax is the longest name that is greeted, in characters.
const nameMax = 60

// likeLink finds what mail programs make clickable: addresses, and host names such as "example.com".
var likeLink = regexp.MustCompile(`[/\\<>@]|\pL\.\pL{2}`)

// greeting names a person. Whoever registers with somebody else's address chooses the name in this mail: what could
// carry a message or a link of its own is left out.
func greeting(name string) string {
	name = oneLine(name)
	if name == "" || utf8.RuneCountInString(name) > nameMax || likeLink.MatchString(name) {
		return "Hello,"
	}
	return "Hello " + name + ","
}

// unsubscribe is the page where a mail can be stopped; empty where it cannot, or where that is not known yet.
func unsubscribe(data any) string {
	value := reflect.ValueOf(data)
	if value.Kind() != reflect.Struct {
		return ""
	}
	if field := value.FieldByName("UnsubscribeURL"); field.IsValid() {
		return field.String()
	}
	return ""
}

func instant(t time.Time) string { return t.UTC().Format("2 January 2006 at 15:04 UTC") }

func day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// Within says a length of time as a sentence does: "30 minutes", "1 hour", "24 hours", "14 days". It is rounded down.
func Within(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
		from int // how many of it are needed to count in it
	}{{24 * time.Hour, "day", 2}, {time.Hour, "hour", 1}, {time.Minute, "minute", 1}} {
		n := int(d / unit.size)
		if n < unit.from {
			continue
		}
		if n == 1 {
			return "1 " + unit.name
		}
		return fmt.Sprintf("%d %ss", n, unit.name)
	}
	return "less than a minute"
}

// Link is the address of a page with a token: base is the service's public address.
func Link(base, path, token string) string {
	return strings.TrimRight(base, "/") + "/" + strings.TrimLeft(path, "/") + "?token=" + url.QueryEscape(token)
}

// oneLine keeps text from becoming more than a word of a sentence.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	return strings.Join(strings.Fields(text), " ")
}

// width is where lines of text end, in characters.
const width = 72

// wrap breaks long lines between words. Links are never broken, and no more than one line is left empty in a row.
func wrap(text string) string {
	var out strings.Builder
	empty := true // nothing before the first line
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		if line == "" {
			if !empty {
				out.WriteByte('\n')
			}
			empty = true
			continue
		}
		empty = false
		used := 0
		for i, word := range strings.Fields(line) {
			n := utf8.RuneCountInString(word)
			switch {
			case i == 0:
			case used+1+n > width:
				out.WriteByte('\n')
				used = 0
			default:
				out.WriteByte(' ')
				used++
			}
			out.WriteString(word)
			used += n
		}
		out.WriteByte('\n')
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

// USD says an amount in micro-dollars: "12.50 USD".
func USD(micros int64) string { return charge.Dollars(micros) + " USD" }
