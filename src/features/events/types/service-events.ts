/** Types of events about the service and its administrators. */
import type { EventText } from './event-text.ts';

export const SERVICE_EVENTS = {
  'events.exported': {
    meaning: 'The administrator exported events.',
    label: 'Events exported',
    done: 'exported events',
  },
  'events.head': {
    meaning: '`number` and `digest` of the last event, every hour, to webhooks that name it.',
    label: 'Head of the record',
    done: 'sent the number and the digest of the last event',
  },
  'events.retention_shortened': {
    meaning:
      'Events will be kept for fewer days than before; `details` has both numbers, and from when on: seven days after the change of `EVENTS_DAYS` was noticed.',
    label: 'Retention of events shortened',
    done: 'noticed that events will be kept for fewer days',
  },
  'session.opened': {
    meaning: 'An administrator signed in to the console.',
    label: 'Signed in to the console',
    done: 'signed in to the console',
  },
  'session.closed': {
    meaning: 'An administrator signed out of the console.',
    label: 'Signed out of the console',
    done: 'signed out of the console',
  },
  'admin_token.rotated': {
    meaning: 'ADMIN_TOKEN in the data directory was replaced.',
    label: 'ADMIN_TOKEN replaced',
    done: 'replaced ADMIN_TOKEN',
  },
  'secret_key.accepted': {
    meaning: 'The administrator made the database accept another `SECRET_KEY`.',
    label: 'Secret key accepted',
    done: 'accepted another SECRET_KEY for the database',
  },
  'statistics.recomputed': {
    meaning: 'The administrator had the figures of the dashboard corrected.',
    label: 'Statistics corrected',
    done: 'corrected the figures of the overview',
  },
  'credential.created': {
    meaning: 'A credential of an administrator was created; `details` has its name and scopes.',
    label: 'Credential created',
    done: 'created {}',
  },
  'credential.rotated': {
    meaning: 'The secret of a credential was replaced.',
    label: 'Credential rotated',
    done: 'replaced the secret of {}',
  },
  'credential.revoked': {
    meaning: 'A credential was revoked. The last event of its subject.',
    label: 'Credential revoked',
    done: 'revoked {}',
  },
  'credential.rejected': {
    meaning: 'A request had a wrong credential of an administrator, or its sign-in to the console.',
    label: 'Credential rejected',
    sentence: 'The service rejected a wrong credential of an administrator',
    perHour: 1,
  },
  'access.denied': {
    meaning:
      'A request was rejected because its token or credential lacks the scope that `reason` names. The subject is the user or the credential.',
    label: 'Access denied',
    sentence: 'The service rejected a request of {}',
    perHour: 1,
  },
  'signing_key.rotated': {
    meaning:
      'The next key of JSON Web Tokens was created; `details` has its id, when it signs, and whether the keys before it were revoked.',
    label: 'Signing key rotated',
    done: 'created the next key of JSON Web Tokens',
  },
  'credential.totp_enabled': {
    meaning:
      'A credential got a second factor: its sign-in to the console demands a code, and nothing else accepts it.',
    label: 'Two-step sign-in switched on',
    done: 'switched two-step sign-in on for {}',
  },
  'credential.totp_disabled': {
    meaning: 'The second factor of a credential was removed, by its holder or an owner.',
    label: 'Two-step sign-in removed',
    done: 'removed two-step sign-in from {}',
  },
  'credential.totp_failed': {
    meaning:
      'A code was rejected that was sent with the right credential: at the sign-in to the console, or for a change of the second factor.',
    label: 'Code of two-step sign-in rejected',
    sentence: 'The service rejected a code for {}',
    perHour: 10,
  },
  'credential.recovery_code_used': {
    meaning: 'A recovery code was used instead of a code of the app; `details.left` says how many are left.',
    label: 'Recovery code used',
    done: 'used a recovery code of {}',
  },
  'credential.recovery_codes_replaced': {
    meaning: 'A credential got new recovery codes; those before are not accepted any more.',
    label: 'Recovery codes replaced',
    done: 'replaced the recovery codes of {}',
  },
  'backup.requested': {
    meaning: 'The administrator requested a backup, which begins within a minute.',
    label: 'Backup requested',
    done: 'requested a backup',
  },
  'backup.created': {
    meaning: 'A backup was made; `details` has its file, size, rows and duration.',
    label: 'Backup made',
    done: 'made a backup',
  },
  'backup.verified': {
    meaning:
      'A backup was restored into a database of its own, and a service on it passed all checks; `details` has its file and the duration.',
    label: 'Backup verified',
    done: 'verified a backup by restoring it',
  },
  'backup.failed': {
    meaning: 'A backup could not be made or verified; `details.message` says why.',
    label: 'Backup failed',
    done: 'could not make or verify a backup',
  },
  'backup.restored': {
    meaning: 'The database was restored from a backup; `details` has when the backup was made.',
    label: 'Backup restored',
    done: 'restored the database from a backup',
  },
  'settings.changed': {
    meaning:
      'Settings were changed by the administrator, or the service was started with others than before; `changes` has them.',
    label: 'Settings changed',
    done: 'changed the settings',
    doneBySelf: 'started with other settings',
  },
} as const satisfies Readonly<Record<string, EventText>>;
