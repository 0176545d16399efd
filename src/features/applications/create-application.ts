/** Creates an application, and replaces the secret of one. */
import type { Tx } from '../../database/database.ts';
import { lockSetting } from '../../database/settings.ts';
import { newId } from '../../lib/secrets/ids.ts';
import { getFirstCharacters, hashToken, newApplicationSecret } from '../../lib/secrets/tokens.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import * as queries from './queries.ts';
import { type ApplicationChanges, applyChanges, nameTaken, requireApplication } from './rules.ts';

export const MAX_APPLICATIONS = 100;

/** Lets changes of applications run one after the other. */
export const lockApplications = (tx: Tx) => lockSetting(tx, 'applications');

/** Returns the subject of the events of an application. */
export const formatApplicationSubject = (id: string) => `application:${id}`;

const INITIAL = {
  name: '',
  name_key: '',
  redirect_uris: '[]',
  post_logout_redirect_uris: '[]',
  scopes: 'self:read',
  token_lifetime_days: null,
  jwt_audiences: '[]',
  id_token_alg: 'RS256',
  require_pkce: 0,
  rotated_at: null,
  previous_until: null,
  version: 1,
} as const;

/**
 * Returns the application with its secret, which is not stored: null for a public one.
 * @throws Problem validation_failed, application_name_taken, too_many_applications
 */
export async function createApplication(
  tx: Tx,
  { kind, ...given }: ApplicationChanges & Pick<queries.ApplicationRow, 'kind'>,
  now: number,
) {
  const secret = kind === 'web' ? newApplicationSecret() : null;
  const first_characters = secret && getFirstCharacters(secret);
  const initial = { ...INITIAL, id: newId(), kind, first_characters, created_at: now, updated_at: now };
  const application = applyChanges(initial, given);
  const { id, name, name_key } = application;
  await lockApplications(tx);
  if (await queries.isNameTaken(tx, name_key, id)) throw nameTaken();
  if ((await queries.countApplications(tx)) >= MAX_APPLICATIONS) throw new Problem('too_many_applications');
  await queries.insertApplication(tx, application);
  if (secret !== null) await queries.insertSecret(tx, hashToken(secret), id);
  const event = { type: 'application.created', subject: formatApplicationSubject(id) } as const;
  await recordEvent(tx, { ...event, details: { name }, now });
  return { application, secret };
}

/**
 * A rotation within the overlap of the last one ends the validity of the oldest of the three secrets at once.
 * @throws Problem application_not_found, application_without_secret
 */
export async function rotateApplicationSecret(
  tx: Tx,
  { id, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number },
  now: number,
) {
  await lockApplications(tx);
  const before = requireApplication(await queries.findApplication(tx, id));
  if (before.kind === 'public') throw new Problem('application_without_secret');
  const secret = newApplicationSecret();
  const previous_until = now + overlapSeconds * 1000;
  const first_characters = getFirstCharacters(secret);
  const version = before.version + 1;
  const times = { updated_at: now, rotated_at: now, previous_until };
  const application = { ...before, ...times, first_characters, version };
  await queries.limitSecrets(tx, id, previous_until);
  await queries.insertSecret(tx, hashToken(secret), id);
  await queries.updateApplication(tx, application);
  const details = { name: before.name, overlap_seconds: overlapSeconds };
  const event = { type: 'application.secret_rotated', subject: formatApplicationSubject(id) } as const;
  await recordEvent(tx, { ...event, details, now });
  return { application, secret };
}
