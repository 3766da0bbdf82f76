package listening

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gpatlas/modules/feed/internal/signing"
)

// position is what the file keeps between two runs.
type position struct {
	Server    string `json:"server"`
	ForwardTo string `json:"forward_to"`
	Secret    string `json:"secret"`
	Cursor    string `json:"cursor"` // "": none yet
	Last      string `json:"last"`   // ID of the last event that was forwarded
}

// load reads the position, or makes one. Another server's cursor is of no use.
func (l *Listener) load() (*position, error) {
	at := &position{}
	text, err := os.ReadFile(l.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("read the position: %w", err)
	default:
		if err := json.Unmarshal(text, at); err != nil {
			return nil, fmt.Errorf("the position in %s cannot be read: %w. Delete the file to begin again", l.File, err)
		}
		if at.Server != l.Server || at.ForwardTo != l.ForwardTo {
			return nil, fmt.Errorf("%s keeps the position of %s forwarded to %s: name another file by --position", l.File, at.Server, at.ForwardTo)
		}
	}
	at.Server, at.ForwardTo = l.Server, l.ForwardTo
	if at.Secret == "" {
		at.Secret = signing.NewSecret()
	}
	if l.From != "" {
		at.Cursor, at.Last = "", ""
	}
	return at, nil
}

// save writes the position as a whole. The file has a secret, so only its owner can read it.
func (p *position) save(file string) error {
	text, err := json.MarshalIndent(p, "", "  ") // #nosec G117 -- the file keeps the secret, for its owner alone
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o700)
	}
	if err == nil {
		err = os.WriteFile(file+".tmp", append(text, '\n'), 0o600)
	}
	if err == nil {
		err = os.Rename(file+".tmp", file)
	}
	if err != nil {
		return fmt.Errorf("keep the position: %w", err)
	}
	return nil
}
