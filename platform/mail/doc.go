// Package mail sends mail to one person at a time: through an SMTP server, or, where none is configured, as .eml files
// in a folder, so that a first run needs no mail server. Texts come ready-made (see templates/email).
//
// Every mail is multipart text and HTML. It is sent by jobs, which may run twice: a mail made from the same key has the
// same Message-ID, so that mail programs show it once, and IsPermanent says of an error whether trying again is of use.
//
// What it refuses to do: several recipients, attachments, sending without TLS unless the setting says so, and any line
// break or control character that would end up in a header.
package mail
