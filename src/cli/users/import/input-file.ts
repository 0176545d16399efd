/** The file of an import: its bytes, the progress through them on a terminal, and the interruption by Ctrl-C. */
import { open } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import type { CommandContext } from '../../context.ts';
import { CommandError } from '../../output.ts';

export type InputFile = Awaited<ReturnType<typeof openInput>>;
export type InputContext = Pick<CommandContext, 'stdin' | 'stderr' | 'onInterrupt'>;

/** Opens a file, or standard input for `-`. @throws CommandError */
export async function openInput(file: string, context: InputContext) {
  const { stream, size } = file === '-' ? { stream: context.stdin, size: 0 } : await openFile(file);
  const bar = size > 0 && context.stderr.isTTY === true ? await createBar(size, context.stderr) : null;
  let bytes = 0;
  stream.on('data', (chunk) => {
    bytes += chunk.length;
  });
  stream.pause();
  let isInterrupted = false;
  const ignoreInterrupts = context.onInterrupt(() => {
    isInterrupted = true;
  });
  return {
    stream,
    /** Whether Ctrl-C was pressed: the current batch is completed first. */
    isInterrupted: () => isInterrupted,
    showProgress: (counts: Readonly<Record<string, number>>) => bar?.update(bytes, counts),
    close() {
      ignoreInterrupts();
      bar?.stop();
      stream.destroy();
    },
  };
}

async function openFile(file: string): Promise<{ stream: Readable; size: number }> {
  try {
    const handle = await open(file);
    const { size } = await handle.stat();
    return { stream: handle.createReadStream(), size };
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

async function createBar(size: number, stderr: Writable) {
  const { SingleBar } = (await import('cli-progress')).default;
  const bar = new SingleBar({
    format:
      '{bar} {percentage}% | {imported} imported, {existing} skipped, {rejected} rejected | {eta_formatted}',
    stream: stderr,
  });
  bar.start(size, 0, { imported: 0, existing: 0, rejected: 0 });
  return bar;
}
