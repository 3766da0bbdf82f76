#!/usr/bin/env bash
# Runs golangci-lint at the version pinned here, built into bin/ when this machine has another version or none.
# Arguments go to it; the default is `run`.
set -euo pipefail
cd "$(dirname "$0")/.."

version=2.15.0

is_pinned() { [ -x "$1" ] && "$1" version 2>/dev/null | grep -q "version v\{0,1\}${version//./\\.} "; }

found=
for candidate in bin/golangci-lint "$(go env GOBIN)/golangci-lint" "$(go env GOPATH)/bin/golangci-lint" "$(command -v golangci-lint || true)"; do
	if is_pinned "$candidate"; then
		found=$candidate
		break
	fi
done
if [ -z "$found" ]; then
	echo "lint: building golangci-lint v$version into bin/ (once, some minutes)"
	GOBIN=$PWD/bin GOFLAGS= go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v$version"
	found=bin/golangci-lint
fi
if [ $# -eq 0 ] || [ "$1" = run ]; then set -- run --allow-parallel-runners "${@:2}"; fi
exec "$found" "$@"
