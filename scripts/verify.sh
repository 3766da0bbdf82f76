#!/usr/bin/env bash
# Generates everything anew and fails if that changes a file: something generated was not committed, or was edited by hand.
set -euo pipefail
cd "$(dirname "$0")/.."

state() { git diff HEAD | git hash-object --stdin; git status --porcelain; }

before=$(state)
make --no-print-directory generate
if [ "$(state)" != "$before" ]; then
	git status --short >&2
	echo "verify: generated files were out of date; they are fresh now: review and commit them" >&2
	exit 1
fi
