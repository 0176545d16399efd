import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { run, runToEnd } from '../../../test/support/processes/process.ts';

const MODULE = JSON.stringify(join(import.meta.dirname, 'log-destination.ts'));

/** A program with a `destination`, `writeLines` for numbered lines, and `dropped`, the reported number. */
const program = (statements: string) => [
  '--input-type=module',
  '--eval',
  `import { writeSync } from 'node:fs';
  import { createLogDestination } from ${MODULE};
  const { promise: dropped, resolve } = Promise.withResolvers();
  const destination = createLogDestination(resolve);
  let count = 0;
  const writeLines = (number) => {
    for (let line = 0; line < number; line++) destination.write((count++) + ' ' + '~'.repeat(100) + '\\n');
  };
  ${statements}`,
];

const numbers = (lines: readonly string[]) => lines.map((line) => Number(/^(\d+) ~{100}$/.exec(line)?.[1]));
const firstNumbers = (length: number) => Array.from({ length }, (_, index) => index);

/** Runs the statements with standard output redirected to the file. */
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

test('the log destination writes all lines in order to a file, also those written just before the exit', async (context) => {
  const file = join(newDirectory(context), 'log');
  const { code } = await outputTo(
    file,
    `writeLines(10_000);
    setImmediate(async () => {
      writeLines(10_000);
      await destination.flush();
      process.exit(0);
    });`,
  );
  assert.equal(code, 0);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  assert.deepEqual(numbers(lines), firstNumbers(20_000));
});

test('the log destination writes all lines in order to a pipe that holds fewer of them than there are', async () => {
  const { code, lines } = await runToEnd(
    program(`writeLines(20_000);
    await destination.flush();
    process.exit(0);`),
  );
  assert.equal(code, 0);
  assert.deepEqual(numbers(lines), firstNumbers(20_000));
});

test('the log destination keeps 16 MiB while standard output is not read, then reports the number of lost lines', async () => {
  const { child, find, ending } = run(
    program(`writeLines(175_000);
    writeSync(2, 'full\\n');
    process.stdin.resume();
    destination.write('dropped ' + (await dropped) + '\\n');
    await destination.flush();
    process.exit(0);`),
  );
  child.stdout!.pause();
  await find(/(full)/);
  const start = performance.now();
  // Reads line by line, so that the pipe is full most of the time.
  const lines = await Array.fromAsync(createInterface(child.stdout!));
  // With the periodic flush alone it takes 13 seconds, otherwise 2.
  assert.ok(performance.now() - start < 10_000, `${performance.now() - start} ms`);
  assert.equal((await ending).code, 0);
  const dropped = Number(/^dropped (\d+)$/.exec(lines.pop()!)?.[1]);
  assert.deepEqual(numbers(lines), firstNumbers(175_000 - dropped));
  const keptBytes = lines.join('\n').length;
  assert.ok(keptBytes > 16_000_000 && keptBytes < 18_000_000, `${keptBytes}`);
});

test('the log destination writes the report of dropped lines with the last flush', async () => {
  const { child, find, ending } = run(
    program(`dropped.then((number) => destination.write('dropped ' + number + '\\n'));
    writeLines(175_000);
    writeSync(2, 'full\\n');
    process.stdin.once('data', async () => {
      await destination.flush();
      process.exit(0);
    });`),
  );
  child.stdout!.pause();
  await find(/(full)/);
  child.stdout!.resume();
  child.stdin!.write('go on');
  const { lines } = await ending;
  assert.match(lines.at(-1)!, /^dropped \d+$/);
});

test('the log destination flushes for about a second at most while standard output is not read', async () => {
  const { child, ending } = run(
    program(`writeLines(10_000);
    const start = performance.now();
    await destination.flush();
    const milliseconds = performance.now() - start;
    process.exit(milliseconds > 900 && milliseconds < 5_000 ? 0 : 1);`),
  );
  child.stdout!.pause();
  assert.equal((await ending).code, 0);
});

test('the log destination drops lines and nothing else when the disk is full', async () => {
  const { code, lines } = await outputTo(
    '/dev/full',
    `writeLines(500);
    setTimeout(async () => {
      writeLines(175_000);
      await destination.flush();
      process.exit(0);
    });`,
  );
  assert.equal(code, 0, lines.join('\n'));
});
