/**
 * What transactions write just before their commit: counters, whose rows are then locked briefly and last, and texts of
 * the search. A group of transactions on SQLite writes it once: each savepoint after a text would make FTS5 write what
 * it has collected to pages of its own.
 */
import type { Tx } from './database.ts';
import { inBatches, sqlForRows } from './prepare.ts';

/** A change of one counter: of a day or an hour, or of period 0 where there is only one. */
export interface CounterChange {
  readonly name: string;
  readonly period: number;
  readonly change: number;
}

const CHANGE = sqlForRows(
  { columns: { name: 'text', period: 'bigint', change: 'bigint' }, singleValues: 1 },
  (given) => `
    with ${given}
    insert into counters (name, period, slot, value)
    select name, period, cast($1 as bigint), change from given where true
    on conflict (name, period, slot) do update set value = counters.value + excluded.value`,
);

/** Not of users who are deleted again in the same group. */
const WRITE_TEXTS = sqlForRows(
  { columns: { user_id: 'text', content: 'text' } },
  (given) => `
    with ${given}
    insert into user_texts (user_id, content)
    select given.user_id, given.content from given cross join users where users.id = given.user_id
    on conflict (user_id) do update set content = excluded.content`,
);

export class LateWrites {
  readonly #changes = new Map<string, CounterChange>();
  readonly #texts = new Map<string, string>();

  count({ name, period, change }: CounterChange): void {
    const key = `${name} ${period}`;
    this.#changes.set(key, { name, period, change: change + (this.#changes.get(key)?.change ?? 0) });
  }

  /** Returns the change of a counter that has one period only. */
  getChange(name: string): number {
    return this.#changes.get(`${name} 0`)?.change ?? 0;
  }

  setText(userId: string, content: string): void {
    this.#texts.set(userId, content);
  }

  /** Adds those of a transaction that follows. */
  add(next: LateWrites): void {
    for (const change of next.#changes.values()) this.count(change);
    for (const [userId, content] of next.#texts) this.setText(userId, content);
  }

  /**
   * Writes the sums and the last texts. All transactions do so in the same order, so that they cannot deadlock. Every
   * statement has been passed on when the function returns, so that a commit may follow before their results.
   */
  async write(tx: Pick<Tx, 'run' | 'slot'>): Promise<void> {
    const changes = [...this.#changes.values()].filter(({ change }) => change !== 0);
    changes.sort((a, b) => (a.name === b.name ? a.period - b.period : a.name < b.name ? -1 : 1));
    const rows = changes.map(({ name, period, change }) => [name, period, change]);
    const statements = [
      ...inBatches([...this.#texts]).map((batch) => WRITE_TEXTS([], batch)),
      ...inBatches(rows).map((batch) => CHANGE([tx.slot], batch)),
    ];
    await Promise.all(statements.map(({ statement, values }) => tx.run(statement, ...values)));
  }
}
