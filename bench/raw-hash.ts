/**
 * The floor of logins and registrations: argon2id alone, as many at a time as there are cores. Takes a
 * `HashJob` from its parent, answers an `Outcome`.
 */
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { PARAMETERS } from '../src/lib/password-parameters.ts';
import type { Outcome } from './load.ts';
import { PASSWORD } from './requests.ts';

export interface HashJob {
  readonly kind: 'hash' | 'verify';
  readonly milliseconds: number;
}

async function run({ kind, milliseconds }: HashJob): Promise<Outcome> {
  const stored = await hash(PASSWORD, PARAMETERS);
  const latencies: number[] = [];
  const began = performance.now();
  const loop = async () => {
    while (performance.now() - began < milliseconds) {
      const from = performance.now();
      await (kind === 'hash' ? hash(PASSWORD, PARAMETERS) : verify(stored, PASSWORD));
      latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, loop));
  const perSecond = (latencies.length / (performance.now() - began)) * 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)]!;
  return { requests: latencies.length, perSecond, p50: at(0.5), p99: at(0.99), busy: 1 };
}

process.on('message', async (job: HashJob) => process.send?.(await run(job)));
