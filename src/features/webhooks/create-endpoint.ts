/** Creates an endpoint with a new secret. */
import type { Tx } from '../../database/database.ts';
import { addSetting, lockSetting } from '../../database/settings.ts';
import type { SecretSeal } from '../../lib/secrets/encryption.ts';
import { newId } from '../../lib/secrets/ids.ts';
import type { Clock } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import { readChain } from '../events/queries.ts';
import { recordEvent } from '../events/record-event.ts';
import { countEndpoints, type EndpointRow, insertEndpoint } from './queries.ts';
import { type EndpointSettings, formatEndpointSubject } from './rules.ts';
import { newSecret } from './secrets.ts';

export interface CreateEndpointDeps {
  readonly clock: Clock;
  readonly webhookSecrets: SecretSeal;
}

export interface EndpointWithSecret {
  readonly endpoint: EndpointRow;
  /** Stored encrypted: it is returned only once. */
  readonly secret: Uint8Array;
}

export const MAX_ENDPOINTS = 50;
/** The row that is locked while endpoints are counted. */
const LOCK_NAME = 'webhook_endpoints';

/** The endpoint receives the events that are numbered from now on, without that of its own creation. @throws Problem too_many_webhooks */
export async function createEndpoint(
  { clock, webhookSecrets }: CreateEndpointDeps,
  tx: Tx,
  settings: EndpointSettings,
): Promise<EndpointWithSecret> {
  await addSetting(tx, { name: LOCK_NAME, value: '' });
  await lockSetting(tx, LOCK_NAME);
  if ((await countEndpoints(tx)) >= MAX_ENDPOINTS) throw new Problem('too_many_webhooks');
  const id = newId();
  const secret = newSecret();
  const sealed = webhookSecrets.seal(id, secret);
  const now = clock();
  await recordEvent(tx, { type: 'webhook.created', subject: formatEndpointSubject(id), now });
  const nextNumber = (await readChain(tx)).number + 1;
  const row = { ...settings, id, secret: sealed, nextNumber, now };
  return { endpoint: (await insertEndpoint(tx, row))!, secret };
}
