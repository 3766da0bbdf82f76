package mail_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/platform/mail"
	"gpatlas/platform/testkit/mailtest"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data", "mail")
	cfg := mail.Config{Dir: dir, DefaultDir: "/nowhere"}
	require.Equal(t, dir, cfg.Folder())
	require.Empty(t, mail.Config{Dir: dir, SMTPURL: "smtp://mail.example.com"}.Folder())
	s := sender(t, cfg)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	for i := range 12 {
		m := message()
		m.Subject = fmt.Sprintf("Mail %d", i)
		require.NoError(t, s.Send(t.Context(), m))
	}
	files, err := os.ReadDir(dir) // sorted by name
	require.NoError(t, err)
	require.Len(t, files, 12)
	for i, file := range files {
		require.Regexp(t, `^20261120T143005\.123456789Z-\d{6}-[0-9a-f]{8}\.eml$`, file.Name())
		info, err := file.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		data, err := os.ReadFile(filepath.Join(dir, file.Name()))
		require.NoError(t, err)
		got := mailtest.Parse(t, data)
		require.Equal(t, fmt.Sprintf("Mail %d", i), got.Subject, "the order of names is not the order of mails")
		require.Equal(t, message().HTML, got.HTML)
	}
}

// Guarantee: a link in a file is one unbroken line, which can be copied. Lines that a mail may not have are encoded as before.
func TestFolderLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := "https://atlas.example/verify-email?token=" + strings.Repeat("abc-DEF_", 100)
	folder := sender(t, mail.Config{Dir: dir}) // one of them numbers its files in their order
	for _, text := range []string{"Hello Zoë,\n\n" + link + "\n", link + strings.Repeat("x", 998) + "\n"} {
		m := message()
		m.Text = text
		require.NoError(t, folder.Send(t.Context(), m))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	for i, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, i == 0, strings.Contains(string(data), "\r\n"+link+"\r\n"), string(data))
		require.Contains(t, string(data), `<a href="https://atlas.example/verify-email?token=abc-DEF_123">`)
		require.Contains(t, mailtest.Parse(t, data).Text, link)
		for line := range strings.SplitSeq(string(data), "\r\n") {
			require.LessOrEqual(t, len(line), 998)
			require.NotContains(t, line, "\n")
		}
	}
}

// Two processes write into one folder at the same time, and a reader finds whole mails only.
func TestFolderParallel(t *testing.T) {
	t.Parallel()
	const n = 40
	dir := t.TempDir()
	senders := []mail.Sender{sender(t, mail.Config{Dir: dir}), sender(t, mail.Config{Dir: dir})}
	errs := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { errs[i] = senders[i%2].Send(t.Context(), message()) })
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, n)
	for _, file := range files {
		require.Equal(t, ".eml", filepath.Ext(file.Name()))
		data, err := os.ReadFile(filepath.Join(dir, file.Name()))
		require.NoError(t, err)
		require.Equal(t, message().Text, mailtest.Parse(t, data).Text)
	}
}

func TestFolderFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := sender(t, mail.Config{DefaultDir: dir})
	bad := message()
	bad.To.Name = "Ada\r\nBcc: x@evil.example"
	require.True(t, mail.IsPermanent(s.Send(t.Context(), bad)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, s.Send(ctx, message()), context.Canceled)
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)

	require.NoError(t, os.Remove(dir))
	err = s.Send(t.Context(), message())
	require.ErrorIs(t, err, os.ErrNotExist)
	require.False(t, mail.IsPermanent(err), "a folder can come back")

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = mail.New(mail.Config{Dir: file}, now)
	require.ErrorContains(t, err, "MAIL_DIR: ")
}
