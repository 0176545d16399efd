import type { Dialect, Tx } from '../database.ts';

/** Reports how many rows of a change are done. */
export type ReportRows = (rows: { readonly done: number; readonly total: number }) => Promise<void>;

/** A change of data that SQL cannot express on both engines. */
export type DataChange = (tx: Tx, report: ReportRows) => Promise<void>;

/** One step. Never changed after its release: a later step corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Executed in this order. */
  statements(dialect: Dialect): (string | DataChange)[];
}
