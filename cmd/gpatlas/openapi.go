package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (p *program) openapiCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "openapi",
		Short: "Print the API's OpenAPI 3.1 document",
		Args:  usage(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			app, err := describe()
			if err != nil {
				return err
			}
			text, err := app.API.JSON()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.stdout, "%s\n", text)
			return err
		},
	}
}
