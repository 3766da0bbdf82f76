#!/usr/bin/env bash
# Prints how large the tree is: lines of Go and SQL without tests and generated files, small packages, SQL files.
set -euo pipefail
cd "$(dirname "$0")/.."

sources() { git ls-files -- "$@" | grep -E '\.(go|sql)$' | grep -vE '_test\.go$|/testdata/|/testkit/|test/|oracle|schema\.golden\.sql$|^migrations/.*\.sql$'; }
lines() { sources "$@" | tr '\n' '\0' | xargs -0 cat | wc -l; }

printf 'lines of Go and SQL without tests   %7d\n' "$(lines .)"
printf '  modules/catalog                   %7d\n' "$(lines modules/catalog)"
printf 'packages under 100 lines            %7d\n' "$(
	sources . | grep '\.go$' | xargs -n1 dirname | sort -u | while read -r package; do
		n=$(sources "$package" | grep -E "^$package/[^/]*\.go$" | xargs cat | wc -l)
		if [ "$n" -lt 100 ]; then echo "$package"; fi
	done | wc -l
)"
printf 'SQL files outside migrations        %7d\n' "$(sources . | grep -c '\.sql$')"
