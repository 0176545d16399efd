import { DatabaseUnavailable, type Statement, type Tx, type Value } from './database.ts';
import type { LateWrites } from './late-writes.ts';

/** The statements of a transaction on an engine, whose results may be there at once. */
interface EngineTx extends Pick<Tx, 'slot' | 'slots' | 'getChange'> {
  get<Row>(statement: Statement<Row>, ...values: Value[]): Promise<Row | undefined> | Row | undefined;
  all<Row>(statement: Statement<Row>, ...values: Value[]): Promise<Row[]> | Row[];
  run(statement: Statement<unknown>, ...values: Value[]): Promise<number> | number;
}

/**
 * Returns a transaction whose statements are rejected when it is not open any more, such as those of a promise that
 * nobody awaits: they would belong to the next transaction of the connection.
 */
export function createTx(
  { get, all, run, slot, slots, getChange }: EngineTx,
  late: LateWrites,
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
    count: (name, period, change) => late.count({ name, period, change }),
    getChange,
    setText: (userId, content) => late.setText(userId, content),
  };
}
