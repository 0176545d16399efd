/** Creates an application, and replaces the secret of one. */
import type { Tx } from '../../database/database.ts';
import { lockSetting } from '../../database/settings.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { getFirstCharacters, hashToken, newApplicationSecret } from '../../lib/secrets/tokens.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import {
  type ApplicationRow,
  countApplications,
  findApplication,
  insertApplication,
  insertSecret,
  isNameTaken,
  replaceSecret,
  updateApplication,
} from './queries.ts';
import type { ApplicationKind } from './redirect-uris.ts';
import { type ApplicationChanges, applyChanges, MAX_APPLICATIONS, nameTaken } from './rules.ts';

export interface ApplicationWithSecret {
  readonly application: ApplicationRow;
  /** Not stored: it is returned only once. Null for a public application. */
  readonly secret: string | null;
}

/** Lets changes of applications run one after the other. */
export const lockApplications = (tx: Tx) => lockSetting(tx, 'applications');

/** @throws Problem validation_failed, application_name_taken, too_many_applications */
export async function createApplication(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { kind, ...given }: ApplicationChanges & { readonly name: string; readonly kind: ApplicationKind },
): Promise<ApplicationWithSecret> {
  const now = clock();
  const secret = kind === 'web' ? newApplicationSecret() : null;
  const application = applyChanges(createRow(kind, now), given);
  const row = { ...application, first_characters: secret && getFirstCharacters(secret) };
  const { id, name, name_key } = row;
  await lockApplications(tx);
  if (await isNameTaken(tx, name_key, id)) throw nameTaken();
  if ((await countApplications(tx)) >= MAX_APPLICATIONS) throw new Problem('too_many_applications');
  await insertApplication(tx, row);
  if (secret !== null) await insertSecret(tx, hashToken(secret), id);
  await recordEvent(tx, { type: 'application.created', subject: toSubject(id), details: { name }, now });
  return { application: row, secret };
}

function createRow(kind: ApplicationKind, now: number): ApplicationRow {
  return {
    id: newId(),
    name: '',
    name_key: '',
    kind,
    redirect_uris: '[]',
    post_logout_redirect_uris: '[]',
    scopes: 'self:read',
    token_lifetime_days: null,
    id_token_alg: 'RS256',
    first_characters: null,
    created_at: now,
    updated_at: now,
    rotated_at: null,
    previous_until: null,
    version: 1,
  };
}

/** Returns the subject of the events of an application. */
export function toSubject(id: string): string {
  return `application:${id}`;
}

/**
 * A rotation within the overlap of the last one ends the validity of the oldest of the three secrets at once.
 * @throws Problem application_not_found, application_without_secret
 */
export async function rotateApplicationSecret(
  { clock }: { readonly clock: Clock },
  tx: Tx,
  { id, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number },
): Promise<ApplicationWithSecret> {
  await lockApplications(tx);
  const before = await findApplication(tx, id);
  if (before === undefined) throw new Problem('application_not_found');
  if (before.kind === 'public') throw new Problem('application_without_secret');
  const now = clock();
  const secret = newApplicationSecret();
  const previousUntil = overlapSeconds === 0 ? null : now + overlapSeconds * 1000;
  const application = {
    ...before,
    first_characters: getFirstCharacters(secret),
    rotated_at: now,
    previous_until: previousUntil,
    version: before.version + 1,
  };
  await replaceSecret(tx, { id, hash: hashToken(secret), previousUntil });
  await updateApplication(tx, application);
  const details = { name: before.name, overlap_seconds: overlapSeconds };
  await recordEvent(tx, { type: 'application.secret_rotated', subject: toSubject(id), details, now });
  return { application, secret };
}
