import type { Migration } from '../migrate.ts';
import { accounts } from './0001-accounts.ts';

/** In order. Append only. */
export const migrations: readonly Migration[] = [accounts];
