/** Connections that several reads share, which travel together: each lease and each message of its own costs time. */
import type { Pool } from 'pg';
import { lease, type PostgresConnection } from './connection.ts';

type Use<T> = (connection: PostgresConnection) => Promise<T>;

/**
 * Returns a function like `lease`, except that at most `maxUses` of its calls in one turn of the event loop share a
 * connection. They must not be parts of a transaction. A slow one delays those behind it.
 */
export function createSharedLease(pool: Pool, maxUses: number) {
  const waiting: { readonly use: Use<void>; readonly reject: (error: unknown) => void }[] = [];
  const serve = () => {
    const uses = waiting.splice(0, maxUses);
    lease(pool, (connection) => Promise.all(uses.map(({ use }) => use(connection)))).catch((error) => {
      for (const { reject } of uses) reject(error);
    });
  };
  return <T>(use: Use<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    waiting.push({ use: (connection) => use(connection).then(resolve, reject), reject });
    if (waiting.length % maxUses === 1) setImmediate(serve);
    return promise;
  };
}
