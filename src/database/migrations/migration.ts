import type { Dialect } from '../database.ts';

/** One step. Never changed after its release: a later step corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  statements(dialect: Dialect): readonly string[];
}
