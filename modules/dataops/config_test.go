package dataops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/dataops"
)

func TestConfigValidate(t *testing.T) {
	t.Parallel()
	require.NoError(t, dataops.Config{}.Validate())
	require.NoError(t, dataops.Config{Contact: "ops@example.org", DownloadBytesMax: 1}.Validate())
	require.NoError(t, dataops.Config{Contact: "https://larkspur.example/contact"}.Validate())
	require.NoError(t, dataops.Config{Contact: "Larkspur Capital ops@larkspur.example"}.Validate())
	require.EqualError(t, dataops.Config{Contact: "nomail"}.Validate(), "DATAOPS_CONTACT: has no email address or URL: set it to one")
	require.ErrorContains(t, dataops.Config{Contact: "a\r\nX: b"}.Validate(), "DATAOPS_CONTACT: must be one line: set it to an email address or a URL")
	require.ErrorContains(t, dataops.Config{SourcesFile: "/nowhere.json"}.Validate(), "DATAOPS_SOURCES_FILE: /nowhere.json: it cannot be opened")
	require.ErrorContains(t, dataops.Config{SourcesBaseURL: "ftp://x"}.Validate(), "DATAOPS_SOURCES_BASE_URL")
	require.ErrorContains(t, dataops.Config{Schedule: "daily"}.Validate(), `DATAOPS_SCHEDULE: "daily" is neither on nor off`)
	require.ErrorContains(t, dataops.Config{Schedule: "on"}.Validate(), "DATAOPS_CONTACT: DATAOPS_SCHEDULE is on, and reports.adviserinfo.sec.gov accepts only requests that name a contact (source adv-monthly): set it to an email address or a URL")
	require.NoError(t, dataops.Config{Schedule: "on", Contact: "ops@example.org"}.Validate())
	require.NoError(t, dataops.Config{Schedule: "on", SourcesBaseURL: "http://mirror.example.org/sec"}.Validate())
}
