package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// fileBytesMax bounds the file of sources.
const fileBytesMax = 1 << 20

// Load returns the configured sources: the built-in ones, changed and extended by a JSON file (empty = none) of the form
// {"sources": [{"name": …}]}. An entry with a built-in name changes only the fields that it states. With a base URL every
// file is requested there, below its original path: a mirror, or a test's server.
func Load(file, base string) ([]Definition, error) {
	list := Builtin()
	if file != "" {
		given, err := read(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for i, text := range given {
			if list, err = join(list, text); err != nil {
				return nil, fmt.Errorf("%s: sources[%d]: %w", file, i, err)
			}
		}
	}
	for i := range list {
		list[i] = list[i].watched()
	}
	if base != "" {
		if err := checkAddress(base, nil); err != nil {
			return nil, fmt.Errorf("the base URL %q %w", base, err)
		}
		for i := range list {
			list[i] = list[i].at(base)
		}
	}
	var faults []error
	for _, d := range list {
		faults = append(faults, d.Validate())
	}
	return list, errors.Join(faults...)
}

func read(path string) ([]json.RawMessage, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.New("it cannot be opened")
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, fileBytesMax+1))
	if err != nil {
		return nil, err
	}
	if len(text) > fileBytesMax {
		return nil, fmt.Errorf("it has more than %d bytes", fileBytesMax)
	}
	var content struct {
		Sources []json.RawMessage `json:"sources"`
	}
	return content.Sources, strict(text, &content)
}

// join adds a source to the list, or changes the one of its name.
func join(list []Definition, text json.RawMessage) ([]Definition, error) {
	var named struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(text, &named); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(d Definition) bool { return d.Name == named.Name })
	if i < 0 {
		var d Definition
		err := strict(text, &d)
		return append(list, d), err
	}
	return list, strict(text, &list[i])
}

// strict decodes JSON whose every field must be known.
func strict(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the end of the JSON text")
	}
	return nil
}

// at moves a source to another host.
func (d Definition) at(base string) Definition {
	move := func(address string) string {
		if address == "" {
			return ""
		}
		_, rest, _ := strings.Cut(address, "://")
		_, path, _ := strings.Cut(rest, "/")
		return strings.TrimSuffix(base, "/") + "/" + path
	}
	d.Index = move(d.Index)
	d.Addresses = slices.Clone(d.Addresses)
	for i, a := range d.Addresses {
		d.Addresses[i] = move(a)
	}
	return d
}

// Find returns the source with a name. The error lists the known sources.
func Find(list []Definition, name string) (Definition, error) {
	names := make([]string, 0, len(list))
	for _, d := range list {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return Definition{}, fmt.Errorf("there is no source %q; the sources are %s", name, strings.Join(names, ", "))
}
