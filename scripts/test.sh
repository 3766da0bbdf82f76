#!/usr/bin/env bash
# Runs the tests of some packages (default: all), with the race detector where code or tests start goroutines. In other
# packages it has nothing to find, and it makes tests five to ten times slower. `make race` runs all tests with it.
set -euo pipefail
cd "$(dirname "$0")/.."

# Whole processes and whole documents: with the race detector they take longer than all the others together. They run
# without it, and those of their tests that are about what happens at the same time run once more, with it.
long='^gpatlas/(cmd/gpatlas|modules/dataops)$'
at_once='^(TestStrangers|TestKnownAtWithinALoad|TestPostgresHangsBelowTheService|TestRedisStopsBelowTheService|TestSourceJobs)$'
# It compares the memory of processes, which the race detector multiplies: its package is tested with it, and this without.
memory='^TestBombsTakeNoMemory$'

# with_goroutines lists those packages whose code or tests start goroutines.
with_goroutines() {
	go list -f '{{.ImportPath}} {{.Dir}}' "$@" | while read -r package dir; do
		if grep -qE '(^|[[:space:]])go (func\b|[a-zA-Z_.]+\()|\.Go\(' "$dir"/*.go; then echo "$package"; fi
	done
}

packages=$(go list "${@:-./...}")
concurrent=$(with_goroutines "${@:-./...}")
both=$(grep -E "$long" <<<"$concurrent" || true)
watched=$(grep -vE "$long" <<<"$concurrent" || true)
plain=$(echo "$both"; grep -vxF -e "$concurrent" <<<"$packages" || true) # the longest first

status=0
# run PACKAGES FLAG… tests packages, if there are any. A busy machine takes twice as long as one at rest, so a package has
# 20 minutes. Without the vet that go test begins with: make test has vetted all of them
# by more rules, and it would be done anew for all their dependencies, with and without the race detector.
run() {
	local list
	read -rd '' -a list <<<"$1" || true
	if [ ${#list[@]} -gt 0 ]; then go test -vet=off -timeout 20m "${@:2}" "${list[@]}" || status=1; fi
}
export GORACE=atexit_sleep_ms=50 # a second for each package otherwise
run "$plain"
run "$(grep -x gpatlas/web <<<"$watched" || true)" -run "$memory"
run "$watched" -race -skip "$memory"
run "$both" -race -run "$at_once"
exit $status
