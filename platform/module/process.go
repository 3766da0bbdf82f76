package module

// Process reports what the process at hand is for. The command supplies it to the container, so that a module starts only what
// is needed: the search index, say, is loaded where requests are answered and nowhere else. A one-off command (an ingestion) is
// neither web nor worker.
type Process struct {
	Name   string // as in logs: "web", "worker", "dev", "ingest"
	Web    bool   // answers requests
	Worker bool   // runs jobs and schedules
}
