/** Observes when the events of a service on SQLite get their numbers. */
import { type Database, sql } from '../../src/database/database.ts';

const HEAD = sql<{ number: number }>('select number from event_chain where id = 1');
const EVENTS = sql<{ id: string; number: number }>(
  'select id, number from events where number > $1 order by number limit $2',
);
const INTERVAL_MS = 2;
const MAX_EVENTS = 10_000;

/** Starts to read the number of the last event. The returned function ends that; it returns the times by event id. */
export async function observeNumbering(database: Database): Promise<() => Promise<Map<string, number>>> {
  const readHead = async () => (await database.get(HEAD))!.number;
  const first = await readHead();
  const heads: { readonly number: number; readonly at: number }[] = [];
  const timer = setInterval(async () => {
    const number = await readHead();
    if (number > (heads.at(-1)?.number ?? first))
      heads.push({ number, at: performance.timeOrigin + performance.now() });
  }, INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    const times = new Map<string, number>();
    let index = 0;
    for (const { id, number } of await database.all(EVENTS, first, MAX_EVENTS)) {
      while (index < heads.length && heads[index]!.number < number) index++;
      const head = heads[index];
      if (head !== undefined) times.set(id, head.at);
    }
    return times;
  };
}
