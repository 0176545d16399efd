import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { createScratchPath, removeAbandoned } from './files.ts';

test('what a process has left that was killed is removed, also if another one has its number now, and nothing else', (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const own = basename(createScratchPath(directory, 'drill'));
  const { pid: ended } = spawnSync('true');
  const kept = [own, '.other-1-1', '.drill-x', 'drill'].sort();
  const left = [`.drill-${process.pid}-1`, `.drill-${process.pid}`, `.drill-${ended}-1`, `.drill-${ended}`];
  for (const name of [...kept, ...left]) mkdirSync(join(directory, name));
  removeAbandoned(directory, 'drill');
  assert.deepEqual(readdirSync(directory).sort(), kept);
  removeAbandoned(join(directory, 'missing'), 'drill');
});
