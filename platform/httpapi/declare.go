package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
)

func declare[I, B any](method, path, id string, _ func(context.Context, *I) (*Reply[B], error), options []Option) Route {
	r := Route{Operation: huma.Operation{Method: method, Path: path, OperationID: id}, Access: Public}
	for _, o := range options {
		o(&r)
	}
	return r // being built: registration
}
