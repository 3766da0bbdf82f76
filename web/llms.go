package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"gpatlas/docs"
	"gpatlas/platform/charge"
	"gpatlas/platform/httpapi"
)

// llms writes the API as plain Markdown (https://llmstxt.org): every operation with its parameters, without the weight
// of the OpenAPI document.
func llms(api *httpapi.API) []byte {
	var b strings.Builder
	document := api.OpenAPI()
	fmt.Fprintf(&b, "# %s\n\n> %s\n\n", Title, strings.ReplaceAll(document.Info.Description, "\n", "\n> "))
	b.WriteString("- [OpenAPI 3.1](/openapi.json): the whole contract, with schemas and examples\n- [Interactive reference](/docs)\n")
	b.WriteString("\n#" + strings.ReplaceAll(docs.Conventions, "\n#", "\n##"))
	sections := map[string][]httpapi.Route{}
	order := []string{}
	for _, tag := range document.Tags {
		order = append(order, tag.Name)
	}
	for _, r := range api.Routes() {
		tag := "Other"
		if len(r.Operation.Tags) > 0 {
			tag = r.Operation.Tags[0]
		}
		if !slices.Contains(order, tag) {
			order = append(order, tag)
		}
		sections[tag] = append(sections[tag], r)
	}
	for _, tag := range order {
		fmt.Fprintf(&b, "\n## %s\n", tag)
		for _, r := range sections[tag] {
			describeOperation(&b, r)
		}
	}
	return []byte(b.String())
}

func describeOperation(b *strings.Builder, r httpapi.Route) {
	op := r.Operation
	fmt.Fprintf(b, "\n### %s %s\n\n%s.", op.Method, op.Path, strings.TrimSuffix(op.Summary, "."))
	if op.Description != "" {
		fmt.Fprintf(b, " %s", op.Description)
	}
	if r.ChargeMicros > 0 {
		fmt.Fprintf(b, " Costs $%s per %s", charge.Dollars(r.ChargeMicros), r.Per)
		if r.BulkMicros > 0 {
			fmt.Fprintf(b, ", $%s each if two or more are new to you", charge.Dollars(r.BulkMicros))
		}
		b.WriteString(".")
	}
	switch {
	case r.KeyToo:
		fmt.Fprintf(b, " Access: %s, or an API key.", r.Access)
	case r.AdminKeyToo:
		fmt.Fprintf(b, " Access: %s, or an administrator's API key.", r.Access)
	case r.Access != httpapi.Public:
		fmt.Fprintf(b, " Access: %s.", r.Access)
	}
	b.WriteString("\n")
	if len(op.Parameters) > 0 {
		b.WriteString("\n")
	}
	for _, p := range op.Parameters {
		fmt.Fprintf(b, "- `%s` (%s%s)", p.Name, p.In, constraints(p.Schema))
		if p.Description != "" {
			fmt.Fprintf(b, ": %s", p.Description)
		}
		b.WriteString("\n")
	}
}

func constraints(s *huma.Schema) string {
	if s == nil {
		return ""
	}
	text := ", " + s.Type
	if s.Format == "date" {
		text = ", date"
	}
	if len(s.Enum) > 0 {
		words := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			words[i] = fmt.Sprint(v)
		}
		text += ": " + strings.Join(words, " | ")
	}
	return text
}
