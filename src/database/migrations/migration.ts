import type { Dialect } from '../database.ts';

/** One step. Never changed after its release: a later step corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /** Executed in this order. */
  statements(dialect: Dialect): readonly string[];
}
