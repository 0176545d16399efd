/** Runs the service as a separate process, whose interface are output, signals and exit codes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after } from 'node:test';
import { type Api, createApi } from '../api.ts';
import { toEnvironment } from '../environment.ts';
import type { TestDatabase } from '../runner/engines.ts';
import { COMPILE_FLAGS } from './compile-flags.ts';

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Every line of standard output and standard error, in order. */
  readonly lines: string[];
}

export interface ServiceProcess {
  readonly api: Api;
  readonly pid: number;
  /** Returns the output so far, of both streams. */
  output(): string;
  /** Reading end of its standard output. */
  readonly stdout: Readable;
  /** Sends a signal that does not end the process. */
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and waits for the exit. */
  kill(signal: NodeJS.Signals): Promise<Ending>;
  readonly ending: Promise<Ending>;
}

/** Starts `src/main.ts` and waits until it listens. @throws with its output when it exits first */
export function startProcess(
  testDatabase: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  return startProgram('src/main.ts', toEnvironment(testDatabase, environment));
}

/** Starts the service with cheap password hashes: for series of restarts with many registrations and logins. */
export function startCheapProcess(
  testDatabase: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const program = 'test/support/processes/cheap-service.ts';
  return startProgram(program, toEnvironment(testDatabase, { LOG_LEVEL: 'warn', ...environment }));
}

async function startProgram(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const program = run([file], environment);
  // Sockets of tests need no lookup of the name.
  const url = (await program.find(/ listens on (\S+) /)).replace('localhost', '127.0.0.1');
  return {
    api: createApi(url),
    pid: program.child.pid!,
    output: program.output,
    stdout: program.child.stdout!,
    ending: program.ending,
    signal: (signal) => void program.child.kill(signal),
    kill: (signal) => {
      program.child.kill(signal);
      return program.ending;
    },
  };
}

/** Runs `node <args>` until it exits. */
export function runToEnd(...parameters: Parameters<typeof run>): Promise<Ending> {
  return run(...parameters).ending;
}

const projectDirectory = join(import.meta.dirname, '..', '..', '..');
// Like `npm start`: the tests start the program a hundred times.
const NODE_COMPILE_CACHE = join(projectDirectory, 'node_modules', '.cache', 'compile');
const running = new Set<ChildProcess>();
/** Working directory of the programs of the project: one without the `.env` of a developer. */
const emptyDirectory = mkdtempSync(join(tmpdir(), 'frontdesk-directory-'));

// A failed test leaves no process behind, and does not wait for one.
after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(emptyDirectory, { recursive: true, force: true });
});

export interface Program {
  readonly child: ChildProcess;
  readonly ending: Promise<Ending>;
  output(): string;
  /** Waits for the pattern in the output and returns its first group. */
  find(pattern: RegExp): Promise<string>;
}

/**
 * Starts `node <args>`: a program of `src` in an empty directory, or in that of `environment.PWD`, anything else in that
 * of the project. `output` may be an open file for standard output.
 */
export function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  output: number | 'pipe' = 'pipe',
): Program {
  const env = { NODE_COMPILE_CACHE, ...environment };
  const isProgram = args[0]?.startsWith('src/') === true;
  const given = isProgram ? [join(projectDirectory, args[0]!), ...args.slice(1)] : args;
  const cwd = isProgram ? (environment.PWD ?? emptyDirectory) : projectDirectory;
  const child = spawn(process.execPath, [...COMPILE_FLAGS, ...given], {
    cwd,
    env,
    stdio: ['pipe', output, 'pipe'],
  });
  running.add(child);
  let text = '';
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  // Unread output would keep the streams from closing.
  child.on('exit', () => child.stdout?.resume());
  const ending = new Promise<Ending>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, lines: text.split('\n').filter((line) => line !== '') });
    });
  });
  const find = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(text)?.[1];
        if (found === undefined) return;
        // Searching megabytes again with each chunk would take longer than the test.
        for (const stream of streams) stream.off('data', look);
        resolve(found);
      };
      for (const stream of streams) stream.on('data', look);
      ending.then(({ code }) =>
        reject(new Error(`exited with ${code} before ${pattern} was found: ${text}`)),
      );
      look();
    });
  return { child, ending, output: () => text, find };
}
