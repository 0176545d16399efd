/** Counters: figures whose count would need a scan. Concurrent transactions change different slots of them. */
import { randomInt } from 'node:crypto';
import { type Reader, sql, type Tx } from './database.ts';
import type { CounterChange } from './late-writes.ts';

/** Transactions of one writer need no more, which would only make more rows; those of a shared database get one of 16. */
export const ONE_SLOT = { slot: 0, slots: 1 } as const;
export const getSharedSlot = () => ({ slot: randomInt(SHARED_SLOTS), slots: SHARED_SLOTS });

const SHARED_SLOTS = 16;

const READ = sql<{ value: number }>(
  'select cast(coalesce(sum(value), 0) as bigint) as value from counters where name = $1 and period = 0',
);

/** Returns the value of a counter that has one period only, in a transaction with the changes of its group. */
export async function readCounter(reader: Reader, name: string): Promise<number> {
  const { value } = (await reader.get(READ, name))!;
  return reader.kind === 'transaction' ? value + reader.getChange(name) : value;
}

const READ_PERIODS = sql<{ period: number; value: number }>(`
  select period, cast(sum(value) as bigint) as value from counters
  where name = $1 and period >= $2 and period <= $3 group by period`);

/** Returns the values of a counter by period. Periods without any may be missing. */
export async function readCounterPeriods(
  reader: Reader,
  /** Both periods are included. */
  { name, from, to }: { readonly name: string; readonly from: number; readonly to: number },
): Promise<Map<number, number>> {
  const rows = await reader.all(READ_PERIODS, name, from, to);
  return new Map(rows.map(({ period, value }) => [period, value]));
}

const DELETE_EMPTY = sql(`
  delete from counters where name = $1 and period in (
    select period from counters where name = $1 and period < $2
    group by period having sum(value) = 0 order by period limit $3)`);

/** Deletes the rows of periods before `before` whose value is 0, of at most `limit` periods. */
export function deleteEmptyPeriods(
  tx: Tx,
  name: string,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  return tx.run(DELETE_EMPTY, name, before, limit);
}

/** Returns a statement that compares counters with the rows of `actual` (`name`, `period`, `value`). */
export function selectCounterDifferences(actual: string, isCounter: string) {
  return sql<CounterChange>(`
    select name, period, cast(sum(value) as bigint) as change from (
      select name, period, value from (${actual}) as counted
      union all
      select name, period, -value from counters where ${isCounter}) as compared
    group by name, period having sum(value) <> 0 order by name, period`);
}
