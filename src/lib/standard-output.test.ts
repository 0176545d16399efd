import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run, runToEnd } from '../../test/support/process.ts';

const MODULE = JSON.stringify(join(import.meta.dirname, 'standard-output.ts'));

/** A program with an `output`, batches of numbered lines for it, and the number of lines lost, once that is told. */
const program = (statements: string) => [
  '--input-type=module',
  '--eval',
  `import { writeSync } from 'node:fs';
  import { StandardOutput } from ${MODULE};
  const { promise: lost, resolve } = Promise.withResolvers();
  const output = new StandardOutput(resolve);
  let count = 0;
  const batch = () => {
    let lines = '';
    for (let line = 0; line < 500; line++) lines += (count++) + ' ' + '~'.repeat(100) + '\\n';
    return lines;
  };
  ${statements}`,
];

const numbers = (lines: readonly string[]) => lines.map((line) => Number(/^(\d+) ~{100}$/.exec(line)?.[1]));
const firstNumbers = (length: number) => Array.from({ length }, (_, index) => index);

/** Runs it with standard output going to the file. */
async function outputTo(file: string, statements: string) {
  const fd = openSync(file, 'a');
  try {
    return await runToEnd(program(statements), {}, fd);
  } finally {
    closeSync(fd);
  }
}

function newDirectory(context: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'frontdesk-test-'));
  context.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('lines come out whole and in order: in a file, also those written last', async (context) => {
  const file = join(newDirectory(context), 'log');
  const { code } = await outputTo(
    file,
    `for (let round = 0; round < 20; round++) output.write(batch());
    setImmediate(() => {
      for (let round = 0; round < 20; round++) output.write(batch());
      output.flush();
      process.exit(0);
    });`,
  );
  assert.equal(code, 0);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.deepEqual(numbers(lines), firstNumbers(20_000));
});

test('lines come out whole and in order: through a pipe that has less room than they need', async () => {
  const { code, lines } = await runToEnd(
    program(`for (let round = 0; round < 40; round++) output.write(batch());
    output.flush();
    process.exit(0);`),
  );
  assert.equal(code, 0);
  assert.deepEqual(numbers(lines), firstNumbers(20_000));
});

test('while nobody reads, 16 MiB are kept; then they come, and how many lines are lost', async () => {
  const { child, find, ending } = run(
    program(`for (let round = 0; round < 350; round++) output.write(batch());
    writeSync(2, 'full\\n');
    process.stdin.resume();
    output.write('lost ' + (await lost) + '\\n');
    output.flush();
    process.exit(0);`),
  );
  child.stdout!.pause();
  await find(/(full)/);
  child.stdout!.resume();
  const { code, lines } = await ending;
  assert.equal(code, 0);
  const lost = Number(/^lost (\d+)$/.exec(lines.pop()!)?.[1]);
  const kept = lines.filter((line) => line !== 'full');
  assert.deepEqual(numbers(kept), firstNumbers(175_000 - lost));
  const keptBytes = kept.join('\n').length;
  assert.ok(keptBytes > 16_000_000 && keptBytes < 18_000_000, `${keptBytes}`);
});

test('a disk without room costs lines only', async () => {
  const { code, lines } = await outputTo(
    '/dev/full',
    `output.write(batch());
    setTimeout(() => {
      for (let round = 0; round < 350; round++) output.write(batch());
      output.flush();
      process.exit(0);
    });`,
  );
  assert.equal(code, 0, lines.join('\n'));
});
