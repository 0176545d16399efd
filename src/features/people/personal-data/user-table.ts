/** Tables with any number of rows of a user. */
import type { Value } from '../../../database/database.ts';
import type { JsonSchema } from '../../../lib/schema/json-schema.ts';

/** The user whose rows are read. */
export interface RowOwner {
  readonly id: string;
  readonly emailKey: string;
}

export interface ExportedRows {
  /** Name of the list in the export. */
  readonly member: string;
  readonly description: string;
  /** Schema of each exported column; the names of times end with `_at`, and objects are stored as JSON. */
  readonly columns: Readonly<Record<string, JsonSchema>>;
  /** The column by which the list is sorted. */
  readonly latestFirst: string;
  /** A condition for the rows of the user. */
  readonly where?: string;
  /** Rows that refer to the user by another column. */
  readonly also?: {
    readonly where: string;
    readonly getValues: (owner: RowOwner) => readonly Value[];
  };
  /** JSON in the column `data` whose members are exported, with their schemas. */
  readonly data?: Readonly<Record<string, JsonSchema>>;
}

export interface UserTable {
  readonly name: string;
  /** Columns of the primary key. */
  readonly key: string;
  /** The column after `user_id` in an index. In its order, PostgreSQL does not read the whole table for the rows. */
  readonly order?: string;
  readonly contents: string;
  readonly kept: string;
  /** Why a user has few rows; absent if there can be any number. */
  readonly bound?: string;
  /** A condition for rows that stay after an erasure, without the user. */
  readonly unlinkedWhere?: string;
  readonly exported: ExportedRows;
}
