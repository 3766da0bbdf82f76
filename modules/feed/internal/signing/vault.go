package signing

import (
	"encoding/json"
	"fmt"

	"gpatlas/platform/seal"
)

// Vault seals what endpoints keep secret with the server's secrets.
type Vault struct{ Secrets seal.Secrets }

func of(purpose, endpoint string) seal.Context {
	return seal.Context{Purpose: "gpatlas webhook " + purpose, Owner: []byte(endpoint)}
}

// SealSecret seals a secret of an endpoint.
func (v Vault) SealSecret(endpoint, secret string) ([]byte, error) {
	return v.Secrets.Seal([]byte(secret), of("secret", endpoint))
}

// OpenSecrets opens the secrets of an endpoint.
func (v Vault) OpenSecrets(endpoint string, sealed [][]byte) ([]string, error) {
	list := make([]string, len(sealed))
	for i, s := range sealed {
		plain, _, err := v.Secrets.Open(s, of("secret", endpoint))
		if err != nil {
			return nil, fmt.Errorf("open the secret of endpoint %s: %w", endpoint, err)
		}
		list[i] = string(plain)
	}
	return list, nil
}

// SealHeaders seals the extra headers of an endpoint; nil for none.
func (v Vault) SealHeaders(endpoint string, headers map[string]string) ([]byte, error) {
	if len(headers) == 0 {
		return nil, nil
	}
	plain, err := json.Marshal(headers)
	if err != nil {
		return nil, fmt.Errorf("encode headers: %w", err)
	}
	return v.Secrets.Seal(plain, of("headers", endpoint))
}

// OpenHeaders opens them.
func (v Vault) OpenHeaders(endpoint string, sealed []byte) (headers map[string]string, err error) {
	if sealed == nil {
		return nil, nil //nolint:nilnil // none
	}
	plain, _, err := v.Secrets.Open(sealed, of("headers", endpoint))
	if err == nil {
		err = json.Unmarshal(plain, &headers)
	}
	if err != nil {
		return nil, fmt.Errorf("open the headers of endpoint %s: %w", endpoint, err)
	}
	return headers, nil
}

// Renew seals what was sealed with a secret that is being replaced. ok is false if there is nothing to do.
func (v Vault) Renew(endpoint, what string, sealed []byte) (renewed []byte, ok bool, err error) {
	plain, old, err := v.Secrets.Open(sealed, of(what, endpoint))
	if err != nil || !old {
		return nil, false, err
	}
	renewed, err = v.Secrets.Seal(plain, of(what, endpoint))
	return renewed, err == nil, err
}
