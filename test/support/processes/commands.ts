/** Runs operator commands in this process. */
import { Readable, Writable } from 'node:stream';
import { runCommand } from '../../../src/cli/run-command.ts';
import { type ProcessEnvironment, readEnvironment } from '../../../src/config/environment-file.ts';

export interface CommandResult {
  readonly code: number;
  /** Every line of standard output and standard error, in order. */
  readonly lines: string[];
  readonly stdout: string;
}

export interface CommandOptions {
  /** Standard input. */
  readonly input?: string;
  /** Working directory, for its `.env`; by default there is none. */
  readonly directory?: string;
  /** Is called when the command listens to Ctrl-C, with the function that presses it. */
  readonly onInterrupt?: (interrupt: () => void) => void;
}

/** Runs the command to its end. */
export async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  { input = '', directory, onInterrupt }: CommandOptions = {},
): Promise<CommandResult> {
  let text = '';
  let stdout = '';
  const stream = (onText: (chunk: string) => void) =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        onText(chunk.toString());
        done();
      },
    });
  const code = await runCommand(args, {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stream((chunk) => {
      text += chunk;
      stdout += chunk;
    }),
    stderr: stream((chunk) => {
      text += chunk;
    }),
    letReaderEnd: () => {},
    readEnvironment: () =>
      directory === undefined ? withoutFile(environment) : readEnvironment(directory, environment),
    onInterrupt(listener) {
      onInterrupt?.(listener);
      return () => {};
    },
  });
  return { code, stdout, lines: text.split('\n').filter((line) => line !== '') };
}

function withoutFile(variables: Readonly<Record<string, string>>): ProcessEnvironment {
  return { variables, file: '/directory/.env', fileExists: false, fileNames: [], namesFromFile: new Set() };
}
