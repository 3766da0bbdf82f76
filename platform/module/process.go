package module

// Process is what the current process does. The command supplies it to the container, so that a module starts only what is
// needed: the search index, for example, is loaded only in processes that answer requests. A one-off command (an ingestion) is
// neither web nor worker.
type Process struct {
	Name   string // as in logs: "web", "worker", "dev", "ingest"
	Web    bool   // answers requests
	Worker bool   // runs jobs and schedules
}
