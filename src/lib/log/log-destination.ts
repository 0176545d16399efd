/** Buffered standard output for log lines, which never blocks: lines beyond a limit are dropped. */
import { setTimeout as sleep } from 'node:timers/promises';
import sonicBoom, { type SonicBoom } from 'sonic-boom';

const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;
const BATCH_BYTES = 65_536;
const FLUSH_INTERVAL_MS = 200;
const FLUSH_DEADLINE_MS = 1_000;
const RETRY_MS = 5;

/** Creates the destination. `onRecovered` receives the number of dropped lines when output works again. */
export function createLogDestination(onRecovered: (droppedLines: number) => void) {
  const output = openStandardOutput();
  let droppedLines = 0;
  const drop = (lines: unknown) => {
    droppedLines += String(lines).split('\n').length - 1;
  };
  const batch = createBatch((lines) => {
    // No line is written between dropped ones. The types of SonicBoom know no buffers, which it documents.
    if (droppedLines > 0) drop(lines);
    else output.write(lines as Buffer & string);
  });
  output.on('drop', drop);
  output.on('drain', () => {
    if (droppedLines === 0) return;
    const dropped = droppedLines;
    droppedLines = 0;
    onRecovered(dropped);
  });
  retryWhenPipeIsFull(output);
  return {
    write: batch.add,
    /** Writes the buffered lines. Gives up after a second, and at once when standard output is broken. */
    flush: () => flushUntilDeadline(output, batch.handOver),
  };
}

/** Joins lines, because SonicBoom's work for each write costs more than that for the line. */
function createBatch(write: (lines: Buffer) => void) {
  let batch = '';
  const handOver = () => {
    if (batch === '') return;
    const lines = Buffer.from(batch);
    batch = '';
    write(lines);
  };
  setInterval(handOver, FLUSH_INTERVAL_MS).unref();
  return {
    handOver,
    add(line: string) {
      batch += line;
      if (batch.length >= BATCH_BYTES) handOver();
    },
  };
}

function openStandardOutput(): SonicBoom {
  return new sonicBoom.SonicBoom({
    // Reading `process.stdout` makes a pipe non-blocking: a blocking write would hold a thread, and the exit.
    fd: process.stdout.fd,
    sync: false,
    contentMode: 'buffer',
    maxLength: MAX_BUFFERED_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
    // SonicBoom's own retry pauses for 100 ms, which limits a pipe of 64 KiB to 640 KiB per second.
    retryEAGAIN: () => false,
  });
}

/** Errors lose no lines. A full pipe is tried again soon, because it has room as soon as its reader runs. */
function retryWhenPipeIsFull(output: SonicBoom): void {
  let delay = RETRY_MS;
  output.on('write', () => {
    delay = RETRY_MS;
  });
  output.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EAGAIN' || delay >= FLUSH_INTERVAL_MS) return;
    setTimeout(() => output.flush(), delay).unref();
    delay *= 2;
  });
}

async function flushUntilDeadline(output: SonicBoom, handOver: () => void): Promise<void> {
  const done = new AbortController();
  const deadline = sleep(FLUSH_DEADLINE_MS, undefined, { signal: done.signal }).catch(() => {});
  const flushAll = async () => {
    // The first flush can report dropped lines, and that report is a line as well.
    for (let round = 0; round < 2; round++) {
      handOver();
      await flush(output, done.signal);
    }
  };
  await Promise.race([flushAll(), deadline]);
  done.abort();
}

async function flush(output: SonicBoom, done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
    output.flush(resolve);
    const error = await promise;
    if (error?.code !== 'EAGAIN') return;
    await sleep(RETRY_MS);
  }
}
