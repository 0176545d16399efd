/** Statements that read tokens and sessions of the console. */
import { BATCH, type Exception } from './exception.ts';

const CHANGED = 'reads only what it changes, one batch at a time';

export const TOKENS: readonly Exception[] = [
  {
    statement: 'select hash from tokens where network is not null and created_at < $1',
    findings: ['reads a range of tokens by tokens_network'],
    reason: CHANGED,
  },
  {
    statement: 'select hash from tokens where last_used_network is not null and last_used_at < $1',
    findings: ['reads a range of tokens by tokens_last_used_network'],
    reason: CHANGED,
  },
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
