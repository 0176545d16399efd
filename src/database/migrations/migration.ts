import type { Dialect } from '../database.ts';

/** One step. Never changed once released: a later step mends it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  statements(dialect: Dialect): string[];
}
