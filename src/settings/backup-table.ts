/** Settings of backups. */
import { choice, hours, integer } from './rules.ts';
import type { SettingDefinition } from './setting-definition.ts';

export const BACKUP_SETTINGS = {
  BACKUP_DIR: {
    group: 'operation',
    title: 'Directory of backups',
    meaning: 'Without it, the service makes none.',
    section: 'backups',
  },
  BACKUP_EVERY: {
    group: 'operation',
    title: 'Time between backups',
    meaning: 'In hours.',
    values: 'Decimals are allowed.',
    section: 'backups',
    rule: hours,
    fallback: '24',
  },
  BACKUP_KEEP: {
    group: 'operation',
    title: 'Backups that are kept',
    meaning: 'Older ones are deleted after a later one was verified.',
    section: 'backups',
    rule: integer({ min: 1, max: 100_000 }),
    fallback: '14',
  },
  BACKUP_VERIFY: {
    group: 'operation',
    title: 'Verification of backups',
    meaning: 'Whether each backup is verified by restoring it.',
    values: '`on` or `off`.',
    section: 'backups',
    rule: choice(['on', 'off']),
    fallback: 'on',
  },
  BACKUP_RECIPIENT: {
    group: 'operation',
    title: 'Encryption of backups',
    meaning: 'Public key of age for which backups are encrypted.',
    values: '`age1…`; the secret key stays elsewhere.',
    section: 'backups',
  },
} as const satisfies Record<string, SettingDefinition<unknown>>;
