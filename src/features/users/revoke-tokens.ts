import type { Tx } from '../../database/database.ts';

/** Ends every session of a user. Handed in by the app, because tokens build on users and not the reverse. */
export type RevokeTokens = (tx: Tx, userId: string) => Promise<number>;
