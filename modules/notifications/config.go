package notifications

// Config holds the settings of notifications; their prefix is NOTIFICATIONS_.
type Config struct {
	// Connections is the number of mails sent at the same time, each with its own connection to the mail server.
	Connections int `env:"CONNECTIONS" envDefault:"8" min:"1" max:"100"`
}
