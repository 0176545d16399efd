import type { Dialect } from '../database.ts';

/** One step. Never changed after its release: a later step corrects it. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  /**
   * `expand` only adds, so that nodes of the release before still run on the schema: each start applies it.
   * `contract` removes what no code of this release uses; it waits for `migrate --contract`.
   */
  readonly kind: 'expand' | 'contract';
  statements(dialect: Dialect): readonly string[];
}
