#!/bin/sh
# Writes the program of the interactive reference (/docs) into web/reference: Scalar from the npm registry, at a pinned version,
# with its checksum verified, and compressed for the binary. Needs npm and Node.js. To update, change version and sum together, run
# it, and run TestReferenceIsSelfContained and TestReferenceInBrowser.
set -eu
version=1.72.1
sum=bf091006bdc3af6067af77c2f534812e3e633e94a94e87138069f570f33b762c

cd "$(dirname "$0")/../web/reference"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
npm pack --silent --pack-destination "$scratch" "@scalar/api-reference@$version" >/dev/null
tar -xzf "$scratch/scalar-api-reference-$version.tgz" -C "$scratch"
program=$scratch/package/dist/browser/standalone.js
echo "$sum  $program" | sha256sum --check --quiet
# The map of the sources is not served.
sed -i '/^\/\/# sourceMappingURL=/d' "$program"
node -e '
const { brotliCompressSync: compress, constants: c } = require("zlib"), fs = require("fs");
const text = fs.readFileSync(process.argv[1]);
fs.writeFileSync("scalar.js.br", compress(text, { params: { [c.BROTLI_PARAM_QUALITY]: 11, [c.BROTLI_PARAM_LGWIN]: 24, [c.BROTLI_PARAM_SIZE_HINT]: text.length } }));
' "$program"
sha256sum scalar.js.br
