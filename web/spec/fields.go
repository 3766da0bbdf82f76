package spec

import (
	_ "embed" // the table
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed fields.tsv
var fields string

// MissingFields lists the fields that the contract names and that a schema of an OpenAPI document lacks. Schemas may have
// more fields than the contract names.
func MissingFields(document []byte) (missing []string, err error) {
	return missingFields(fields, document)
}

func missingFields(table string, document []byte) (missing []string, err error) {
	var api struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(document, &api); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		schema, names, _ := strings.Cut(line, "\t")
		for name := range strings.SplitSeq(names, ",") {
			if _, ok := api.Components.Schemas[schema].Properties[name]; !ok {
				missing = append(missing, schema+"."+name)
			}
		}
	}
	return missing, nil
}
