import { baseline } from './0027-baseline.ts';
import { unorderedJobs } from './0028-jobs.ts';
import { activeHours } from './0029-active-hours.ts';
import { markedEvents } from './0030-events.ts';
import { acts } from './0031-acts.ts';
import { locale } from './0032-locale.ts';
import { forms } from './0033-forms.ts';
import { signIn } from './0034-sign-in.ts';
import { applications } from './0035-applications.ts';
import { identities } from './0036-identities.ts';
import { oldestVersion } from './0037-oldest-version.ts';
import { roles } from './0038-roles.ts';
import { responses } from './0043-responses.ts';
import { jwtAudiences } from './0045-jwt-audiences.ts';
import { pendingEmails } from './0046-pending-emails.ts';
import { submissionBounds } from './0049-submission-bounds.ts';
import { requiredPkce } from './0051-required-pkce.ts';
import { unusedActiveHours } from './0053-unused-active-hours.ts';
import type { Migration } from './migration.ts';

/** In order. Append only. The first one creates the tables of an empty database: older ones are not upgraded. */
export const migrations: readonly Migration[] = [
  baseline,
  unorderedJobs,
  activeHours,
  markedEvents,
  acts,
  locale,
  forms,
  signIn,
  applications,
  identities,
  oldestVersion,
  roles,
  responses,
  jwtAudiences,
  pendingEmails,
  submissionBounds,
  requiredPkce,
  unusedActiveHours,
];
