/** Reference for logins and registrations: argon2id alone, as many hashes at a time as there are cores. */
import { availableParallelism } from 'node:os';
import { hash } from '@node-rs/argon2';
import { PARAMETERS } from '../../src/lib/passwords/password-parameters.ts';
import { repeatUntil, serveJobs } from '../load/jobs.ts';
import { PASSWORD } from '../load/requests.ts';

export interface HashJob {
  readonly milliseconds: number;
}

serveJobs(({ milliseconds }: HashJob) =>
  repeatUntil(milliseconds, availableParallelism(), () => hash(PASSWORD, PARAMETERS)),
);
