package email

import "strings"

// Notice is a mail of a kind that an administrator has added to the registry: it tells what its author has written.
type Notice struct {
	FullName   string `mail:"optional"`
	Heading    string
	Paragraphs []string // one that is a URL becomes a link

	UnsubscribeURL string `mail:"optional"`
}

// NewNotice is the mail with a subject and a text in which empty lines part paragraphs.
func NewNotice(fullName, subject, text, unsubscribe string) Notice {
	n := Notice{FullName: fullName, Heading: subject, UnsubscribeURL: unsubscribe}
	var lines []string
	end := func() {
		if len(lines) > 0 {
			n.Paragraphs = append(n.Paragraphs, strings.Join(lines, " "))
		}
		lines = nil
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			end()
		} else {
			lines = append(lines, line)
		}
	}
	end()
	return n
}

// Content is the mail.
func (m Notice) Content() (Content, error) { return ready("notice", m) }
