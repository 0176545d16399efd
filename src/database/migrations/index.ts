import { baseline } from './0043-baseline.ts';
import { jwtAudiences } from './0045-jwt-audiences.ts';
import { pendingEmails } from './0046-pending-emails.ts';
import { submissionBounds } from './0049-submission-bounds.ts';
import { requiredPkce } from './0051-required-pkce.ts';
import { unusedActiveHours } from './0053-unused-active-hours.ts';
import { timeZones } from './0054-time-zones.ts';
import { shownOnce } from './0055-shown-once.ts';
import { formSettings } from './0056-form-settings.ts';
import { passkeys } from './0057-passkeys.ts';
import { signInCodes } from './0058-sign-in-codes.ts';
import { refreshTokens } from './0059-refresh-tokens.ts';
import { devices } from './0060-devices.ts';
import { groups } from './0061-groups.ts';
import { sentForms } from './0062-sent-forms.ts';
import type { Migration } from './migration.ts';

/** In order. Append only. The first one creates the tables of an empty database: older ones are not upgraded. */
export const migrations: readonly Migration[] = [
  baseline,
  jwtAudiences,
  pendingEmails,
  submissionBounds,
  requiredPkce,
  unusedActiveHours,
  timeZones,
  shownOnce,
  formSettings,
  passkeys,
  signInCodes,
  refreshTokens,
  devices,
  groups,
  sentForms,
];
