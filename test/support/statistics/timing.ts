/**
 * Measures whether the duration of a request reveals a property of the email address that it contains. Each pair of
 * requests is sent in random order, so without a leak every sign of a difference is a fair coin, whatever the load of
 * the machine, and the sign test is exact.
 */
import assert from 'node:assert/strict';
import { signTest } from './sign-test.ts';

/** Two comparisons with fresh measurements have to be significant at this level: 10⁻⁸ without a leak. */
export const LEVEL = 1e-4;

export interface Emails {
  readonly known: string;
  readonly unknown: string;
}

/** Sends a request with the address and waits for its response. */
export type Send = (email: string) => Promise<void>;

/** Returns a function that posts JSON and expects the status. */
export function sender(url: string, status: number, createBody: (email: string) => object): Send {
  const headers = { 'content-type': 'application/json' };
  return async (email) => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(createBody(email)) });
    await response.arrayBuffer();
    assert.equal(response.status, status);
  };
}

/** Does the same with a form of a page of the service, and a redirect or a page as the response. */
export function formSender(
  url: string,
  status: number,
  createFields: (email: string) => Record<string, string>,
): Send {
  const headers = { 'sec-fetch-site': 'same-origin' };
  return async (email) => {
    const body = new URLSearchParams(createFields(email));
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
    await response.arrayBuffer();
    assert.equal(response.status, status);
  };
}

async function measureDuration(send: Send, email: string): Promise<number> {
  const start = performance.now();
  await send(email);
  return performance.now() - start;
}

/** Returns the difference of durations for each pair of a known and an unknown address, sent in random order. */
async function measure(send: Send, { known, unknown }: Emails, pairs: number): Promise<number[]> {
  const differences: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const sign = Math.random() < 0.5 ? 1 : -1;
    const [first, second] = sign === 1 ? [known, unknown] : [unknown, known];
    const firstDuration = await measureDuration(send, first);
    differences.push(sign * (firstDuration - (await measureDuration(send, second))));
  }
  return differences;
}

/** Returns the probability of such differences without a leak. Measures on two connections at a time. */
async function compare(send: Send, emails: Emails, pairs: number): Promise<number> {
  const halves = await Promise.all([measure(send, emails, pairs / 2), measure(send, emails, pairs / 2)]);
  return signTest(halves.flat());
}

/** Returns the probabilities of one or two comparisons, the last of which decides: it is significant after a leak. */
export async function findLeak(send: Send, emails: Emails, pairs: number): Promise<number[]> {
  // The first requests start threads and compile code.
  await measure(send, emails, 5);
  const first = await compare(send, emails, pairs);
  return first > LEVEL ? [first] : [first, await compare(send, emails, pairs)];
}

export const isLeak = (probabilities: readonly number[]) => probabilities.at(-1)! <= LEVEL;

/** @throws AssertionError when the duration depends on whether the address is known */
export async function assertNoLeak(send: Send, emails: Emails, pairs: number): Promise<void> {
  const probabilities = await findLeak(send, emails, pairs);
  assert.ok(!isLeak(probabilities), `differences are significant: p = ${probabilities.join(', then ')}`);
}
