// Package email has the texts of every mail that GP Atlas sends, and renders them; platform/mail sends them.
//
// Each mail has a type whose fields are what it tells, and three templates: <name>.subject.txt, <name>.txt and
// <name>.html, the last inside of layout.html. Content fills them in, and refuses a field that was forgotten. What people
// have typed (names, devices) is kept to one line in texts, and escaped in HTML.
package email

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"io"
	"io/fs"
	"strings"
	"sync"
	texttemplate "text/template"
)

//go:embed *.txt *.html
var files embed.FS

// Content is a mail that is ready to be addressed and sent.
type Content struct {
	Subject string
	Text    string // lines of 72 characters at most; links stand on lines of their own
	HTML    string
	// Category is that of Rules; empty for a notice, whose kind has it.
	Category string
}

// set are the templates by the names of mails.
type set struct {
	subjects, texts map[string]*texttemplate.Template
	pages           map[string]*htmltemplate.Template
}

// load parses all templates, once.
var load = sync.OnceValues(func() (set, error) { return parse(files) })

const (
	subjectEnd = ".subject.txt"
	missing    = "missingkey=error"
)

func parse(from fs.FS) (set, error) {
	s := set{
		subjects: map[string]*texttemplate.Template{}, texts: map[string]*texttemplate.Template{}, pages: map[string]*htmltemplate.Template{},
	}
	subjects, err := fs.Glob(from, "*"+subjectEnd)
	if err != nil {
		return s, err
	}
	for _, file := range subjects {
		name := strings.TrimSuffix(file, subjectEnd)
		if s.subjects[name], err = texttemplate.New(file).Option(missing).Funcs(functions).ParseFS(from, file); err != nil {
			return s, err
		}
		if s.texts[name], err = texttemplate.New(name+".txt").Option(missing).Funcs(functions).ParseFS(from, "footer.txt", name+".txt"); err != nil {
			return s, err
		}
		if s.pages[name], err = htmltemplate.New("layout.html").Option(missing).Funcs(functions).ParseFS(from, "layout.html", name+".html"); err != nil {
			return s, err
		}
	}
	return s, nil
}

// Render fills in the templates of a mail. A name without templates and a field that data does not have are errors.
// Callers with one of the types of this package use its Content, which also looks for empty fields.
func Render(name string, data any) (subject, text, html string, err error) {
	all, err := load()
	if err != nil {
		return "", "", "", err
	}
	if all.subjects[name] == nil {
		return "", "", "", fmt.Errorf("there is no mail called %q", name)
	}
	if subject, err = fill(all.subjects[name], data); err != nil {
		return "", "", "", err
	}
	subject = strings.TrimSpace(subject)
	if subject == "" || strings.ContainsAny(subject, "\r\n") {
		return "", "", "", errors.New("the subject of " + name + " is not one line")
	}
	if text, err = fill(all.texts[name], data); err != nil {
		return "", "", "", err
	}
	if html, err = fill(all.pages[name], data); err != nil {
		return "", "", "", err
	}
	return subject, wrap(text), html, nil
}

// executor is a template of either kind.
type executor interface {
	Execute(w io.Writer, data any) error
}

func fill(t executor, data any) (string, error) {
	var out bytes.Buffer
	err := t.Execute(&out, data)
	return out.String(), err
}
