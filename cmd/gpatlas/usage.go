package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gpatlas/platform/plaintext"
)

// usage wraps one of cobra's checks of arguments: its errors become usage errors in our words.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if check(cmd, args) == nil {
			return nil
		}
		return usageError{argumentFault(cmd, args)}
	}
}

// checked wraps a command's own check, whose errors need no rewording.
func checked(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())}
		}
		return nil
	}
}

// argumentFault reports which arguments a command accepts.
func argumentFault(cmd *cobra.Command, args []string) error {
	_, takes, _ := strings.Cut(cmd.Use, " ")
	switch {
	case cmd.HasSubCommands() && len(args) > 0:
		return noCommand(cmd, args[0])
	case takes == "":
		return fmt.Errorf("%s accepts no arguments, but got %q (see %s --help)", cmd.CommandPath(), args[0], cmd.CommandPath())
	case len(args) < len(strings.Fields(takes)):
		return fmt.Errorf("%s is missing: %s %s (see %s --help)", strings.Fields(takes)[len(args)], cmd.CommandPath(), takes, cmd.CommandPath())
	}
	return fmt.Errorf("too many arguments: %s %s (see %s --help)", cmd.CommandPath(), takes, cmd.CommandPath())
}

// mistyped is the maximum number of letters in which a word may differ from a suggestion.
const mistyped = 2

func noCommand(parent *cobra.Command, name string) error {
	text := fmt.Sprintf("there is no command %q", strings.TrimPrefix(parent.CommandPath()+" "+name, "gpatlas "))
	parent.SuggestionsMinimumDistance = mistyped
	if name == "version" && !parent.HasParent() {
		return errors.New(text + `; did you mean "gpatlas --version"?`)
	}
	if near := append(parent.SuggestionsFor(name), below(parent, name)...); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %q?", near[0])
	}
	return errors.New(text + " (see " + parent.CommandPath() + " --help)")
}

// below are the commands of that name below the subcommands of parent.
func below(parent *cobra.Command, name string) (paths []string) {
	for _, group := range parent.Commands() {
		for _, cmd := range group.Commands() {
			if cmd.Name() == name {
				paths = append(paths, cmd.CommandPath())
			}
		}
	}
	return paths
}

// emptyFlag rejects a flag with an empty value, which an unset shell variable causes: the default was not meant.
func emptyFlag(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && err == nil {
			err = usageError{fmt.Errorf("%s needs a value (see %s --help)", dashed(f.Name), cmd.CommandPath())}
		}
	})
	return err
}

// flagFault rewords pflag's error about a flag.
func flagFault(cmd *cobra.Command, err error) string {
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		text := "there is no flag " + dashed(e.GetSpecifiedName())
		if near := nearestFlag(cmd, e.GetSpecifiedName()); near != "" {
			text += "; did you mean " + dashed(near) + "?"
		}
		return text
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return dashed(e.GetSpecifiedName()) + " needs a value"
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		is := "is not valid"
		if e.GetFlag().Value.Type() == "bool" {
			is = "is not true or false"
		}
		return fmt.Sprintf("--%s: %q %s", e.GetFlag().Name, e.GetValue(), is)
	}
	if e, ok := errors.AsType[*pflag.InvalidSyntaxError](err); ok {
		return fmt.Sprintf("%q is not a flag", e.GetSpecifiedFlag())
	}
	return err.Error()
}

// nearestFlag is the flag of a command nearest to a mistyped one; "" = none is near.
func nearestFlag(cmd *cobra.Command, name string) (near string) {
	if len(name) < 2 {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if names = append(names, f.Name); near == "" && strings.HasPrefix(f.Name, name) {
			near = f.Name
		}
	})
	return cmp.Or(plaintext.Nearest(name, names, mistyped), near)
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
