import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runToEnd } from './support/processes/process.ts';

const ROOT = join(import.meta.dirname, '..');

test('`npm run screenshots` writes all pictures that README and the documents show, and all that are stored', async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-screenshots-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  const { code, lines } = await runToEnd(['test/screenshots.ts', directory]);
  assert.equal(code, 0, lines.join('\n'));
  const written = readdirSync(directory);
  assert.deepEqual(readdirSync(join(ROOT, 'docs/images')).toSorted(), written.toSorted());
  const texts = globSync(['README.md', 'docs/*.md'], { cwd: ROOT }).map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  );
  const shown = [...texts.join('').matchAll(/images\/([\w-]+\.\w+)/g)].map(([, name]) => name!);
  assert.notEqual(shown.length, 0);
  assert.deepEqual(
    shown.filter((name) => !written.includes(name)),
    [],
  );
});
