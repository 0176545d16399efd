/** A program that follows the feed of events by its cursor, through all restarts of the service. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '../api.ts';
import { admin } from '../environment.ts';

/** Between two attempts while there is nothing new, or no service. */
const POLL_MS = 50;
const PAGE_SIZE = 100;

export interface Consumer {
  /** Versions of users by their ids, as they were when the last event that names them was read. */
  readonly users: ReadonlyMap<string, number>;
  /** Ids of events in the order in which they were read, each once. */
  readonly eventIds: readonly string[];
  /** Reads what is left, once nothing is written any more. */
  finish(): Promise<void>;
  /** Ends it at once, after a test that has failed. */
  stop(): void;
}

/** Starts a consumer. `getApi` returns the client of the running service, or of one that was killed. */
export function startConsumer(getApi: () => Api): Consumer {
  const users = new Map<string, number>();
  const eventIds: string[] = [];
  let cursor = '';
  let isFinishing = false;
  let isStopped = false;
  /** Reads a page. The cursor advances when all of it was processed. */
  const step = async (): Promise<'full' | 'partial' | 'empty'> => {
    const api = getApi();
    const path = `/api/v1/events?order=time&limit=${PAGE_SIZE}${cursor}`;
    const { status, body } = await api.get(path, admin);
    if (status === 503) throw new Error('the service has no time');
    assert.equal(status, 200);
    for (const id of listUsers(body.data)) await copyUser(api, users, id);
    eventIds.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = `&cursor=${body.next_cursor}`;
    if (body.data.length === PAGE_SIZE) return 'full';
    return body.data.length > 0 ? 'partial' : 'empty';
  };
  const run = async () => {
    while (!isStopped) {
      const wasFinishing = isFinishing;
      const page = await step().catch((error) => {
        if (error instanceof assert.AssertionError) throw error;
        return 'none' as const;
      });
      if (wasFinishing && page === 'empty') return;
      if (page !== 'full') await pause(POLL_MS);
    }
  };
  const running = run();
  // Awaited at the end: until then, a failure must not end the process.
  running.catch(() => {});
  const finish = () => {
    isFinishing = true;
    return running;
  };
  const stop = () => {
    isStopped = true;
  };
  return { users, eventIds, finish, stop };
}

function listUsers(events: readonly { readonly subject: string | null }[]): Set<string> {
  const subjects = events.map(({ subject }) => subject ?? '');
  return new Set(
    subjects.filter((each) => each.startsWith('user:')).map((each) => each.slice('user:'.length)),
  );
}

async function copyUser(api: Api, users: Map<string, number>, id: string): Promise<void> {
  const { status, body } = await api.get(`/api/v1/users/${id}`, admin);
  if (status === 404) users.delete(id);
  else users.set(id, body.data.version);
}
