#!/bin/sh
# AppAuth-JS for Node calls itself a module ("type": "module"), but its files import each other without extensions: Node cannot import it.
# Expected: that a package with type module can be imported; a bundler, or the loader that its README does not mention, is needed.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --ignore-scripts --no-audit --no-fund @openid/appauth@1.4.0 esbuild@0.28.2
cat > check.js <<'END'
import { execFileSync } from 'node:child_process';
const imported = await import('@openid/appauth').then(() => 'imported', (error) => error.code);
const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=bundled.js', '--log-level=error'];
execFileSync('node_modules/@esbuild/linux-x64/bin/esbuild', ['entry.js', ...bundle]);
const bundled = await import('./bundled.js').then(({ kind }) => kind, (error) => error.code);
console.log(`@openid/appauth 1.4.0: by Node ${imported}, bundled ${bundled}`);
process.exit(imported === 'ERR_MODULE_NOT_FOUND' && bundled === 'function' ? 0 : 1);
END
echo "import { AuthorizationRequest } from '@openid/appauth'; export const kind = typeof AuthorizationRequest;" > entry.js
node check.js
