package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gpatlas/modules/accounts"
	"gpatlas/platform/apperr"
	"gpatlas/platform/localserver"
)

// devSecrets completes the settings of `gpatlas dev` without another default: the folder and the links of mails without a
// server, and the secret of access tokens. It is made once and kept in the data folder, so that a restart ends no session.
func (p *program) devSecrets(s *settings, stack *localserver.Stack, dataDir string) error {
	dir, err := p.dataDir(dataDir)
	if stack != nil {
		dir, err = stack.Dir(), nil
	}
	if err != nil {
		return err
	}
	s.Mail.DefaultDir = filepath.Join(dir, "mail")
	if p.getenv("ACCOUNTS_PUBLIC_APP_URL") == "" {
		s.Accounts.PublicAppURL = "http://" + reachable(s.Web.Addr)
	}
	if s.Accounts.JWTKeys != "" {
		return nil
	}
	file := filepath.Join(dir, "jwt.keys")
	kept, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		kept = []byte(accounts.GenerateKeys(p.clock))
		err = os.WriteFile(file, kept, 0o600)
	}
	if err != nil {
		return fmt.Errorf("cannot keep the signing key in the data folder %s: %w: choose another folder with --data-dir", dir, apperr.Cause(err))
	}
	s.Accounts.JWTKeys = strings.TrimSpace(string(kept))
	return nil
}
