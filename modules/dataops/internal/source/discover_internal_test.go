package source

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var november = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// builtin is a source that is there without configuration.
func builtin(t *testing.T, name string) Definition {
	t.Helper()
	d, err := Find(Builtin(), name)
	require.NoError(t, err)
	return d
}

// found discovers with an index of the given text.
func look(t *testing.T, d Definition, text string) ([]found, []error) {
	t.Helper()
	return discover(t.Context(), d, november, func(context.Context, *url.URL) ([]byte, error) { return []byte(text), nil })
}

// addresses are the files' first addresses.
func addresses(files []found) (out []string) {
	for _, f := range files {
		out = append(out, f.urls[0].String())
	}
	return out
}

// The index's months come oldest first, each with its size and the mark of its edition; of two entries of one file the one
// uploaded later counts.
func TestDiscoverIndex(t *testing.T) {
	t.Parallel()
	files, faults := look(t, builtin(t, "adv-monthly"), `{"advFilingData": [
		{"displayName":"June","fileName":"ADV_Filing_Data_20260601_20260630.zip","size":9057014,"year":"2026","fileType":"advFilingData","uploadedOn":"2026-07-01 21:13:14"},
		{"fileName":"ADV_Filing_Data_20251201_20251231.zip","size":"77","year":2025,"uploadedOn":"2026-01-03 01:02:03"},
		{"fileName":"ADV_Filing_Data_20251201_20251231.zip","size":78,"year":2025,"uploadedOn":"2026-02-03 01:02:03"}], "advW": 7}`)
	require.Empty(t, faults)
	require.Equal(t, []string{
		"https://reports.adviserinfo.sec.gov/reports/foia/advFilingData/2025/ADV_Filing_Data_20251201_20251231.zip",
		"https://reports.adviserinfo.sec.gov/reports/foia/advFilingData/2026/ADV_Filing_Data_20260601_20260630.zip",
	}, addresses(files))
	require.Equal(t, []int64{78, 9057014}, []int64{files[0].bytes, files[1].bytes})
	require.Equal(t, "2026-02-03 01:02:03", files[0].edition)
}

// An entry that cannot be used, or that would lead elsewhere, is refused with its field; the others are used.
func TestDiscoverHostileIndex(t *testing.T) {
	t.Parallel()
	good := `{"fileName":"a_20260630.zip","size":5,"year":"2026","uploadedOn":"x"}`
	for entry, want := range map[string]string{
		`{"fileName":"../../etc/passwd","size":5,"year":"2026","uploadedOn":"x"}`:      "fileName: \"../../etc/passwd\" is not a plain file name",
		`{"fileName":"a..zip","size":5,"year":"2026","uploadedOn":"x"}`:                "is not a plain file name",
		`{"fileName":"//10.0.0.1/a.zip","size":5,"year":"2026","uploadedOn":"x"}`:      "is not a plain file name",
		`{"fileName":"http://10.0.0.1/a.zip","size":5,"year":"2026","uploadedOn":"x"}`: "is not a plain file name",
		`{"fileName":"a.zip?x=1","size":5,"year":"2026","uploadedOn":"x"}`:             "is not a plain file name",
		`{"fileName":"a%2f.zip","size":5,"year":"2026","uploadedOn":"x"}`:              "is not a plain file name",
		`{"fileName":"","size":5,"year":"2026","uploadedOn":"x"}`:                      "is not a plain file name",
		`{"fileName":7,"size":5,"year":"2026","uploadedOn":"x"}`:                       "advFilingData[1]: json: cannot unmarshal number",
		`{"fileName":"b.zip","size":5,"year":"../..","uploadedOn":"x"}`:                "year: \"../..\" is none",
		`{"fileName":"b.zip","size":-5,"year":"2026","uploadedOn":"x"}`:                "size: \"-5\" is not a number of bytes",
		`{"fileName":"b.zip","size":[1],"year":"2026","uploadedOn":"x"}`:               "size: \"\" is not a number of bytes",
		`{"fileName":"b.zip","size":1e30,"year":"2026","uploadedOn":"x"}`:              "is not a number of bytes",
		`{"fileName":"b.zip","size":5,"year":"2026"}`:                                  "uploadedOn: it is missing",
		`{"fileName":"` + strings.Repeat("a", 300) + `","size":5,"year":"2026"}`:       "is not a plain file name",
		`"b.zip"`: "advFilingData[1]: json: cannot unmarshal string",
	} {
		files, faults := look(t, builtin(t, "adv-monthly"), `{"advFilingData": [`+good+`,`+entry+`]}`)
		require.Len(t, files, 1, entry)
		require.ErrorContains(t, errors.Join(faults...), want, entry)
		require.ErrorContains(t, errors.Join(faults...), "the index https://reports.adviserinfo.sec.gov/reports/foia/reports_metadata.json", entry)
	}
	for text, want := range map[string]string{
		``:                       "it is not the JSON object that it should be",
		`[]`:                     "it is not the JSON object that it should be",
		`{"advFilingData": {`:    "it is not the JSON object that it should be",
		`{}`:                     "advFilingData: it is missing",
		`{"advFilingData": "x"}`: "advFilingData: it is no list",
		`{"advFilingData": [` + strings.Repeat(`0,`, indexEntriesMax) + `0]}`: "too many for an index",
		strings.Repeat(`[`, 20_000): "it is not the JSON object",
	} {
		files, faults := look(t, builtin(t, "adv-monthly"), text)
		require.Empty(t, files)
		require.ErrorContains(t, errors.Join(faults...), want)
	}
	_, faults := look(t, builtin(t, "adv-monthly"), `{"advFilingData": [`+strings.Repeat(`0,`, 50)+`0]}`)
	require.Len(t, faults, faultsShown+1)
	require.ErrorContains(t, faults[faultsShown], "and 46 more entries are unusable")
}

// Of the daily feeds the newest of each kind is taken; the individuals' feed is none of them.
func TestDiscoverManifest(t *testing.T) {
	t.Parallel()
	d := builtin(t, "iapd-firm-feed")
	files, faults := look(t, d, `{"files":[
		{"name":"IA_FIRM_SEC_Feed_08_20_2026.xml.gz","size":"78 MB","date":"08/20/2026"},
		{"name":"IA_FIRM_SEC_Feed_08_21_2026.xml.gz","size":"78 MB","date":"08/21/2026"},
		{"name":"IA_FIRM_SEC_Feed_12_31_2025.xml.gz","size":"78 MB","date":"12/31/2025"},
		{"name":"IA_FIRM_STATE_Feed_08_19_2026.xml.gz","size":"40 MB","date":"08/19/2026"},
		{"name":"IA_INDVL_Feed_08_21_2026.xml.zip","size":"900 MB","date":"08/21/2026"}]}`)
	require.Empty(t, faults)
	require.Equal(t, []string{
		"https://reports.adviserinfo.sec.gov/reports/CompilationReports/IA_FIRM_STATE_Feed_08_19_2026.xml.gz",
		"https://reports.adviserinfo.sec.gov/reports/CompilationReports/IA_FIRM_SEC_Feed_08_21_2026.xml.gz",
	}, addresses(files))
	require.Zero(t, files[0].bytes, "the manifest's size is the unpacked one")

	files, faults = look(t, d, `{"files":[{"name":"IA_FIRM_SEC_Feed_08_20_2026.xml.gz","date":"tomorrow"}, {"name":7}, {"name":"IA_FIRM_STATE_Feed_08_19_2026.xml.gz","date":"08/19/2026"}]}`)
	require.Len(t, files, 1)
	require.ErrorContains(t, errors.Join(faults...), `files[0]: date: "tomorrow" is not a day`)
	require.ErrorContains(t, errors.Join(faults...), "files[1]: json: cannot unmarshal number")
	require.ErrorContains(t, errors.Join(faults...), "none has a name like ^IA_FIRM_SEC_Feed")
}

// Quarters are there once they are over, oldest first; all but the newest are final once they are here.
func TestDiscoverQuarters(t *testing.T) {
	t.Parallel()
	d := builtin(t, "form-d")
	files, faults := look(t, d, "")
	require.Empty(t, faults)
	require.Len(t, files, 4*18+3)
	const base = "https://www.sec.gov/files/structureddata/data/form-d-data-sets/"
	at := addresses(files)
	require.Equal(t, base+"2008q1_d.zip", at[0])
	require.Equal(t, base+"2026q3_d.zip", at[len(at)-1])
	require.Equal(t, []bool{true, false, false}, []bool{files[len(files)-3].final, files[len(files)-2].final, files[len(files)-1].final})
	for day, newest := range map[string]string{"2026-01-01": "2025q4", "2026-03-31": "2025q4", "2026-04-01": "2026q1", "2026-12-31": "2026q3"} {
		now, err := time.Parse(time.DateOnly, day)
		require.NoError(t, err)
		files, _ := discover(t.Context(), d, now, nil)
		require.Equal(t, newest+"_d.zip", files[len(files)-1].name, day)
	}
}

// Rosters are looked for on the first days of the last three months, registered and exempt.
func TestDiscoverMonths(t *testing.T) {
	t.Parallel()
	files, faults := look(t, builtin(t, "rosters"), "")
	require.Empty(t, faults)
	require.Len(t, files, 6)
	require.Equal(t, "ia090126.zip", files[0].name)
	require.Equal(t, "ia110126-exempt.zip", files[5].name)
	require.Len(t, files[5].urls, 5)
	require.True(t, strings.HasSuffix(files[5].urls[1].Path, "/ia110226-exempt.zip"))
	require.True(t, files[5].awaited)
}

func TestDiscoverList(t *testing.T) {
	t.Parallel()
	d := builtin(t, "adv-history")
	d.Addresses = []string{"https://www.sec.gov/files/b.zip", "https://www.sec.gov/files/a.zip"}
	files, faults := look(t, d, "")
	require.Empty(t, faults)
	require.Equal(t, d.Addresses, addresses(files))
}

// The error about an index that cannot be fetched names it.
func TestDiscoverWithoutIndex(t *testing.T) {
	t.Parallel()
	_, faults := discover(t.Context(), builtin(t, "advw"), november, func(context.Context, *url.URL) ([]byte, error) {
		return nil, fmt.Errorf("it rained")
	})
	require.EqualError(t, errors.Join(faults...), "the index: it rained")
}

// However an index fills the blanks of an address, the file is on the source's own host.
func FuzzFill(f *testing.F) {
	f.Add("a.zip", "2026")
	f.Add("//evil.example/a.zip", "..")
	f.Add("@evil.example", "x")
	f.Fuzz(func(t *testing.T, file, year string) {
		u, err := fill("https://reports.example.org/reports/{year}/{file}", map[string]string{"{file}": file, "{year}": year})
		if err != nil {
			return
		}
		require.Equal(t, "reports.example.org", u.Host)
		require.Equal(t, "https", u.Scheme)
	})
}

// Parts of one archive are one file, in the order of their addresses; a part without others, and parts that stand in
// different folders, are files by themselves.
func TestDiscoverParts(t *testing.T) {
	t.Parallel()
	files, faults := look(t, builtin(t, "adv-history"), "")
	require.Empty(t, faults)
	require.Len(t, files, 1)
	require.Equal(t, "adv-filing-data-20111105-20241231", files[0].name)
	require.Equal(t, 2, files[0].files())
	d := Definition{Name: "x", Kind: KindList, Addresses: []string{
		"http://a/x/d-part2.zip", "http://a/y/d-part1.zip", "http://a/x/readme-part.csv", "http://a/x/d-part1.zip", "http://a/x/d-part2.zip", "http://a/x/e-part1.zip",
	}}
	files, faults = look(t, d, "")
	require.Empty(t, faults)
	var names, parts []string
	for _, f := range files {
		names = append(names, f.name)
		for _, u := range f.parts {
			parts = append(parts, u.String())
		}
	}
	require.Equal(t, []string{"d", "d-part1.zip", "readme-part.csv", "e-part1.zip"}, names)
	require.Equal(t, []string{"http://a/x/d-part1.zip", "http://a/x/d-part2.zip"}, parts)
}
