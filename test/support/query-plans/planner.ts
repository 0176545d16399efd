/** Access to the query plans of one database. */

export interface ForeignKey {
  readonly table: string;
  readonly column: string;
}

export interface Planner {
  /** The names of all tables. */
  tables(): Promise<readonly string[]>;
  /** The columns that refer to other tables: deleting a row there searches them. */
  foreignKeys(): Promise<readonly ForeignKey[]>;
  /** Keeps the engine from collecting statistics by itself. */
  holdStatistics(): Promise<void>;
  /** Collects the statistics that the engine may use for later plans. */
  analyze(): Promise<void>;
  /** Returns what is wrong with the plan of a statement, which is not executed. Reads of small tables are fine. */
  findings(text: string, isSmall: (table: string) => boolean): Promise<string[]>;
  close(): Promise<void>;
}
