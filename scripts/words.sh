#!/usr/bin/env bash
# Warns of words in changed comments that make a reader read twice. It compares with BASE (default: the commit before), and
# never fails: the words have uses.
set -euo pipefail
cd "$(dirname "$0")/.."

base=${BASE:-HEAD~1}
git rev-parse -q --verify "$base^{commit}" >/dev/null || exit 0
words='tells?|told|says? (what|whether|which|of)|nobody|somebody|whom|of which|anew|is away|such as there (is|are)'
git diff -U0 "$base" -- '*.go' '*.sql' '*.sh' | awk -v words="(^|[^a-z])($words)([^a-z]|$)" '
	/^\+\+\+ / { file = substr($2, 3); next }
	/^@@ / { split($3, at, ","); line = substr(at[1], 2) }
	/^\+/ {
		if (match($0, /(\/\/|--|#) .*/) && tolower(substr($0, RSTART)) ~ words) print "words: " file ":" line ": " substr($0, RSTART)
		line++
	}'
