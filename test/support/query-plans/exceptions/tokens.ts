/** Statements that read tokens and sessions of the console. */
import { BATCH, type Exception } from './exception.ts';

export const TOKENS: readonly Exception[] = [
  {
    statement: 'delete from tokens where hash in (',
    findings: ['reads a range of tokens by tokens_expires_at'],
    reason: BATCH,
  },
  {
    statement: 'delete from console_sessions where hash <> $1 and hash not in (',
    findings: ['sorts'],
    reason: 'sorts about 100 rows at a sign-in',
  },
];
