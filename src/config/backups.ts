/** Settings of scheduled backups. */
import { resolve } from 'node:path';
import { InvalidValue, quoted } from '../settings/rules.ts';
import type { Reader } from './reader.ts';

/** @throws ConfigError */
export function backupSettings(read: Reader) {
  return Object.freeze({
    /** Null: none are made. */
    directory: read.optional('BACKUP_DIR', (path) => resolve(path)),
    everyHours: read.setting('BACKUP_EVERY'),
    keep: read.setting('BACKUP_KEEP'),
    verifies: read.setting('BACKUP_VERIFY') === 'on',
    recipient: read.optional('BACKUP_RECIPIENT', parseRecipient),
  });
}

/** A public key of age, of the kinds that the library encrypts for: bech32, in which 1, b, i and o do not occur. */
function parseRecipient(text: string): string {
  if (/^age1(?:[02-9ac-hj-np-z]{58}|(?:pq|tag|tagpq)1[02-9ac-hj-np-z]{59,})$/.test(text)) return text;
  throw new InvalidValue(`must be a public key of age (age1…), not ${quoted(text)}`);
}
