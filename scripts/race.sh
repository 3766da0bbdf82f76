#!/usr/bin/env bash
# Runs the tests of some packages (default: all) with the race detector, where code or tests start goroutines. In other
# packages it has nothing to find, and it makes tests five to ten times slower.
set -euo pipefail
cd "$(dirname "$0")/.."

# Whole processes and whole documents take longest with the race detector. Of these packages only the tests of concurrent
# work run.
long='^gpatlas/(cmd/gpatlas|modules/dataops)$'
at_once='^(TestStrangers|TestKnownAtWithinALoad|TestPostgresHangsBelowTheService|TestRedisStopsBelowTheService|TestSourceJobs)$'
# It compares the memory of processes, which the race detector multiplies.
memory='^TestBombsTakeNoMemory$'

packages=$(go list -f '{{.ImportPath}} {{.Dir}}' "${@:-./...}" | while read -r package dir; do
	if grep -qE '(^|[[:space:]])go (func\b|[a-zA-Z_.]+\()|\.Go\(' "$dir"/*.go; then echo "$package"; fi
done)
if [ -z "$packages" ]; then
	echo "race: no package here starts a goroutine"
	exit
fi

status=0
# run PATTERN OPTION FLAG… tests the packages that grep finds with the option and the pattern, if there are any.
run() {
	local list
	read -rd '' -a list < <(grep "$2" "$1" <<<"$packages") || true
	if [ ${#list[@]} -gt 0 ]; then go test -race -vet=off -timeout 40m "${@:3}" "${list[@]}" || status=1; fi
}
export GORACE=atexit_sleep_ms=50 # a second for each package otherwise
run "$long" -vE -skip "$memory"
run "$long" -E -run "$at_once"
exit $status
