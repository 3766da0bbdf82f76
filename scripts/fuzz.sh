#!/usr/bin/env bash
# Fuzzes every fuzz test of the repository, one after the other, FUZZTIME each (30s unless set). Go keeps an input that
# breaks one under the package's testdata/fuzz: commit it with the repair. Minimizing is cut short (5 tries each), for by
# default it may take a minute for every new input, which is the whole time.
set -euo pipefail
cd "$(dirname "$0")/.."

time=${FUZZTIME:-30s}
{ grep -rlE '^func Fuzz[A-Z_]' --include='*_test.go' . || true; } | while read -r file; do dirname "$file"; done | sort -u | while read -r package; do
	grep -hoE '^func Fuzz[A-Za-z0-9_]+' "$package"/*_test.go | sed 's/^func //' | sort -u | while read -r name; do
		echo "fuzz: $package $name for $time"
		go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" -fuzzminimizetime 5x "$package" </dev/null
	done
done
