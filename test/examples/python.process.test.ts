/** examples/python against the service, if there is Python. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startService } from '../support/service.ts';

const PROGRAM = join(import.meta.dirname, '../../examples/python/frontdesk.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

test('examples/python registers, shows the code of a wrong password, logs in and out', {
  skip: hasPython ? false : 'python3 is not installed',
}, async (context) => {
  const { service, stop } = await startService('sqlite');
  context.after(stop);
  const { stdout } = await promisify(execFile)('python3', ['-B', PROGRAM, service.url]);
  assert.deepEqual(stdout.split('\n'), ['401 invalid_login', 'Ada Lovelace', '401 unauthorized', '']);
});
