// Package notifications sends the mails that people can refuse: a queue that other modules fill through mail.Notify, the
// registry of kinds, preferences and unsubscribing, digests, tracking. Tables: schema notifications. It may ask accounts,
// billing and catalog. Mails about the security of an account are not its business; module accounts sends them itself.
package notifications
