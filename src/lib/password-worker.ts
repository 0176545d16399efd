/** One hashing thread: takes a job, answers it, takes the next. */
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { PARAMETERS } from './password-parameters.ts';

const { pepper } = workerData as { pepper: string | null };
const keyed = pepper === null ? {} : { secret: Buffer.from(pepper, 'utf8') };
const parameters = { ...PARAMETERS, ...keyed };

export type PasswordJob =
  | { readonly kind: 'hash'; readonly password: string }
  | { readonly kind: 'verify'; readonly password: string; readonly hash: string };

export type PasswordAnswer = { readonly result: string | boolean } | { readonly error: string };

// On Linux a priority belongs to the thread: the event loop goes first, and hashing takes what is left.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);

parentPort?.on('message', (job: PasswordJob) => {
  parentPort?.postMessage(answer(job));
});

function answer(job: PasswordJob): PasswordAnswer {
  try {
    if (job.kind === 'hash') return { result: hashSync(job.password, parameters) };
    return { result: verifySync(job.hash, job.password, keyed) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
