// Package mail sends mail to one person at a time: through an SMTP server, or, if none is configured, as .eml files in a
// folder, so that a first run needs no mail server. templates/email renders the texts.
//
// Every mail is multipart text and HTML. It is sent by jobs, which may run twice: a mail made from the same key has the same
// Message-ID, so that mail programs show it once, and IsPermanent reports whether a retry is useless.
//
// Not supported on purpose: several recipients, attachments, sending without TLS unless the setting allows it, and line breaks
// or control characters in headers.
package mail
