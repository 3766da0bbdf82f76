package notifications

// Config holds the settings of notifications; their prefix is NOTIFICATIONS_.
type Config struct {
	// Connections is the number of mails sent at the same time, each with a connection to the mail server of its own.
	Connections int `env:"CONNECTIONS" envDefault:"8" min:"1" max:"100"`
}
