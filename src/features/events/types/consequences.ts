/** Effects of events that readers of the record should notice. */
import type { EventType } from '../event-types.ts';

/**
 * `failure`: something did not work, as the outcome of most failures tells. `destruction`: something is gone for good.
 * `intervention`: somebody's account or access was changed, if an administrator has caused the event.
 */
export type Consequence = 'failure' | 'destruction' | 'intervention';

/** Events of other types are usual. */
export const CONSEQUENCES: Readonly<Partial<Record<EventType, Consequence>>> = {
  'webhook.disabled': 'failure',
  'account.taken_over': 'destruction',
  'application.deleted': 'destruction',
  'backup.restored': 'destruction',
  'credential.revoked': 'destruction',
  'form.deleted': 'destruction',
  'identity_provider.deleted': 'destruction',
  'submission.deleted': 'destruction',
  'user.erased': 'destruction',
  'webhook.deleted': 'destruction',
  'account.unlocked': 'intervention',
  'admin_token.rotated': 'intervention',
  'credential.created': 'intervention',
  'credential.rotated': 'intervention',
  'credential.totp_disabled': 'intervention',
  'email.changed': 'intervention',
  'identity.unlinked': 'intervention',
  'password.changed': 'intervention',
  'secret_key.accepted': 'intervention',
  'session.ended': 'intervention',
  'signing_key.rotated': 'intervention',
  'token.revoked': 'intervention',
  'token.rotated': 'intervention',
  'totp.disabled': 'intervention',
  'user.disabled': 'intervention',
  'user.enabled': 'intervention',
  'user.updated': 'intervention',
};
