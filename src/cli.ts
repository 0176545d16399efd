/** The process of operator commands: `npm run cli -- <command>`. */
import { FAILURE } from './cli/context.ts';
import { runCommand } from './cli/run-command.ts';
import { readEnvironment } from './config/environment-file.ts';

// Database and secret files are readable by their owner only.
process.umask(0o077);
let mayEndEarly = false;
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader has closed the pipe.
  if (code === 'EPIPE' && mayEndEarly) process.exit(0);
  process.stderr.write(`standard output cannot be written: ${message}\n`);
  process.exit(FAILURE);
});

const status = await runCommand(process.argv.slice(2), {
  // Opened by the commands that read it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  letReaderEnd: () => {
    mayEndEarly = true;
  },
  readEnvironment: () => readEnvironment(process.cwd(), process.env),
  onInterrupt(listener) {
    process.once('SIGINT', listener);
    return () => void process.off('SIGINT', listener);
  },
});
// A failed command does not wait for open resources.
if (status === FAILURE) process.exit(status);
process.exitCode = status;
