import type { CounterChanges } from './counters.ts';
import { DatabaseUnavailable, type Tx } from './database.ts';

/**
 * Returns a transaction whose statements are rejected when it is not open any more, such as those of a promise that
 * nobody awaits: they would belong to the next transaction of the connection.
 */
export function createTx(
  { get, all, run, slot, slots }: Pick<Tx, 'get' | 'all' | 'run' | 'slot' | 'slots'>,
  counters: CounterChanges,
  isOpen: () => boolean,
): Tx {
  const check = () => {
    if (!isOpen()) throw new DatabaseUnavailable('The transaction has ended');
  };
  return {
    kind: 'transaction',
    slot,
    slots,
    get: async (statement, ...values) => {
      check();
      return get(statement, ...values);
    },
    all: async (statement, ...values) => {
      check();
      return all(statement, ...values);
    },
    run: async (statement, ...values) => {
      check();
      return run(statement, ...values);
    },
    count: (name, period, change) => counters.add(name, period, change),
  };
}
