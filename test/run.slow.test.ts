import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { COMPILE_FLAGS } from './support/processes/compile-flags.ts';
import { runToEnd } from './support/processes/process.ts';

const { PATH = '', HOME = '' } = process.env;

for (const [title, body] of [
  ['waits for nothing', 'await new Promise(() => {});'],
  ['exits', 'process.exit(0);'],
] as const)
  test(`a run of tests fails when a test ${title}, so that the process ends before its tests`, async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'frontdesk-run-'));
    context.after(() => rmSync(directory, { recursive: true }));
    const file = join(directory, 'early.test.mjs');
    writeFileSync(file, `import { test } from 'node:test'; test('early', async () => { ${body} });`);
    const environment = { PATH, HOME, TEST_ENGINES: 'sqlite' };
    const { code, lines } = await runToEnd(['test/run.ts', '--fast', file], environment);
    assert.equal(code, 1, lines.join('\n'));
    assert.match(lines.join('\n'), /The process ended before its tests/);
  });

test('test files compile their code in the thread that runs it, for which their exit does not wait', async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-run-'));
  context.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'flags.test.mjs');
  writeFileSync(
    file,
    `import assert from 'node:assert'; import { test } from 'node:test';
    test('flags', () => assert.ok(${JSON.stringify(COMPILE_FLAGS)}.every((flag) => process.execArgv.includes(flag))));`,
  );
  // Files get the options of the runner as well, which has none here.
  const env = { PATH, HOME, TEST_ENGINES: 'sqlite' };
  await promisify(execFile)(process.execPath, ['test/run.ts', file], { env });
});

test('a run of tests in one process succeeds when all of them do, and fails when one does', async () => {
  const runFast = async (file: string) => {
    const { code, lines } = await runToEnd(['test/run.ts', '--fast', file], {
      PATH,
      HOME,
      TEST_ENGINES: 'sqlite',
    });
    return { code, text: lines.join('\n') };
  };
  const passed = await runFast('src/lib/network.test.ts');
  assert.equal(passed.code, 0, passed.text);
  const failed = await runFast('src/lib/missing.test.ts');
  assert.equal(failed.code, 1, failed.text);
});
