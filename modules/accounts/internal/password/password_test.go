package password_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/accounts/internal/password"
	"gpatlas/platform/apperr"
)

var cheap = password.Params{MemoryKiB: 8, Passes: 1, Threads: 1}

func TestFault(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"three herons cross the pond", "xK9#mQ2$vL7!", strings.Repeat("aB3$xyz", 18) + "ab", "пароль-и-ещё-немного", "seven grey lamps at noon",
		"Tr0ub4dor&3-plinth",
	} {
		require.Empty(t, password.Fault(good, "ada@larkspur.example"), good)
	}
	for text, want := range map[string]string{
		"":                                   "12 to 128",
		"xK9#mQ2$vL7":                        "12 to 128",
		strings.Repeat("aB3$xyzw", 16) + "a": "12 to 128",
		"äöüäöüäöüäö":                        "12 to 128",
		"password1234":                       "common",
		"Password1234!":                      "common",
		"P@ssw0rd12345":                      "common",
		"passwordpassword":                   "common",
		"Password-Password":                  "common",
		"qwertyuiop123":                      "common",
		"1q2w3e4r5t6y":                       "common",
		"123456789012":                       "common",
		"iloveyou2026!":                      "common",
		"letmeinplease":                      "common",
		"welcome12345678":                    "common",
		"Summer2026!!":                       "common",
		"aaaaaaaaaaaa":                       "common",
		"abababababab":                       "common",
		"abcdeabcdeabcde":                    "common",
		"correct horse battery staple":       "common",
		"ＰＡＳＳＷＯＲＤ１２３４":                       "common",
		"my.ada.lovelace.key":                "email",
		"ADA.LOVELACE-99x":                   "email",
		"three herons\x00cross":              "control",
		"three herons\ncross":                "control",
		"three herons \xff\xff":              "UTF-8",
	} {
		require.Contains(t, password.Fault(text, "Ada.Lovelace@larkspur.example"), want, text)
	}
	require.Empty(t, password.Fault("three herons cross", "her@larkspur.example"), "three letters are in too many words")
}

// Whatever is around it, a password with the address's local part in it is refused.
func TestFaultOfOwnAddress(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		local := rapid.StringMatching(`[a-zA-Z0-9]{4,20}`).Draw(t, "local")
		before := rapid.StringMatching(`[a-z!-9]{8,20}`).Draw(t, "before")
		after := rapid.StringMatching(`[A-Z]{0,20}`).Draw(t, "after")
		if password.Fault(before+strings.ToUpper(local)+after, local+"@larkspur.example") == "" {
			t.Fatal("accepted")
		}
	})
}

func TestHashAndCheck(t *testing.T) {
	t.Parallel()
	h := password.NewHasher(cheap, 2)
	hash, err := h.Hash(t.Context(), "three herons")
	require.NoError(t, err)
	require.Regexp(t, `^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`, hash)
	again, err := h.Hash(t.Context(), "three herons")
	require.NoError(t, err)
	require.NotEqual(t, hash, again, "salted")
	for secret, want := range map[string]bool{"three herons": true, "three heronz": false, "": false, "Three herons": false, "three herons ": false} {
		match, err := h.Check(t.Context(), hash, secret)
		require.NoError(t, err)
		require.Equal(t, password.Match{OK: want}, match, secret)
	}
	composed, err := h.Hash(t.Context(), "caf\u00e9 au lait")
	require.NoError(t, err)
	match, err := h.Check(t.Context(), composed, "cafe\u0301 au lait")
	require.NoError(t, err)
	require.True(t, match.OK, "one letter, typed in two ways")
}

// The parameters in use are those that OWASP recommends.
func TestOWASP(t *testing.T) {
	t.Parallel()
	h := password.NewHasher(password.OWASP, 1)
	hash, err := h.Hash(t.Context(), "three herons")
	require.NoError(t, err)
	require.Contains(t, hash, "$argon2id$v=19$m=19456,t=2,p=1$")
	match, err := password.NewHasher(cheap, 1).Check(t.Context(), hash, "three herons")
	require.NoError(t, err)
	require.Equal(t, password.Match{OK: true, Outdated: true}, match, "made with other parameters")
	match, err = password.NewHasher(cheap, 1).Check(t.Context(), hash, "wrong")
	require.NoError(t, err)
	require.Equal(t, password.Match{}, match)
}

// Without a hash to compare with, the work is the same and the answer is no, also to the decoy's own password.
func TestCheckOfNobody(t *testing.T) {
	t.Parallel()
	h := password.NewHasher(cheap, 2)
	for _, secret := range []string{"three herons", "decoy", ""} {
		before := h.Computed()
		match, err := h.Check(t.Context(), "", secret)
		require.NoError(t, err)
		require.Equal(t, password.Match{}, match)
		require.Equal(t, before+1, h.Computed())
	}
}

func TestCheckOfNoHash(t *testing.T) {
	t.Parallel()
	h := password.NewHasher(cheap, 2)
	good := "$argon2id$v=19$m=8,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	_, err := h.Check(t.Context(), good, "x")
	require.NoError(t, err)
	before := h.Computed()
	for _, bad := range []string{
		"x", "$2a$10$abcdefghijklmnopqrstuv", strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "v=19", "v=16", 1),
		strings.Replace(good, "m=8", "m=99999999", 1), strings.Replace(good, "m=8", "m=0", 1), strings.Replace(good, "t=1", "t=1000", 1),
		strings.Replace(good, "p=1", "p=0", 1), strings.Replace(good, "p=1", "p=x", 1), good[:len(good)-30], good + "$", strings.Replace(good, "$A", "$!", 1),
	} {
		_, err := h.Check(t.Context(), bad, "x")
		require.Error(t, err, bad)
	}
	_, err = h.Hash(t.Context(), strings.Repeat("x", 1<<20))
	require.Error(t, err, "a megabyte")
	require.Equal(t, before, h.Computed(), "nothing was hashed")
}

// Only so many hashes are computed at once; those that wait too long, or no more, give their place up.
func TestTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := password.NewHasher(cheap, 2)
		free := password.Occupy(h, 2)
		got := make(chan error)
		go func() {
			_, err := h.Hash(t.Context(), "three herons")
			got <- err
		}()
		synctest.Wait()
		select {
		case <-got:
			t.Fatal("a third hash was computed beside two")
		default:
		}
		began := time.Now()
		require.Equal(t, apperr.KindUnavailable, apperr.From(<-got).Kind)
		require.Equal(t, 10*time.Second, time.Since(began))
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := h.Check(gone, "", "x")
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, h.Computed())
		free()
		_, err = h.Hash(t.Context(), "three herons")
		require.NoError(t, err)
	})
}
