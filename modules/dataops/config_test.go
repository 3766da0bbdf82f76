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
	require.ErrorContains(t, dataops.Config{DownloadBytesMax: -1}.Validate(), "DATAOPS_DOWNLOAD_BYTES_MAX")
	require.ErrorContains(t, dataops.Config{Contact: "a\r\nX: b"}.Validate(), "DATAOPS_CONTACT")
}
