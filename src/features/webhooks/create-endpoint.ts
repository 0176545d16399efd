/** Creates an endpoint with a new secret. */
import type { Tx } from '../../database/database.ts';
import { addSetting, lockSetting } from '../../database/settings.ts';
import { newId } from '../../lib/secrets/ids.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Problem } from '../../problems/problem.ts';
import { countEndpoints, type EndpointRow, insertEndpoint } from './queries.ts';
import type { EndpointSettings } from './rules.ts';
import { newSecret, type SecretSeal } from './secrets.ts';

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
/** Events are numbered from 1. */
const FIRST_EVENT_NUMBER = 1;
/** The row that is locked while endpoints are counted. */
const LOCK_NAME = 'webhook_endpoints';

/** @throws Problem too_many_webhooks */
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
  const row = { ...settings, id, secret: sealed, nextNumber: FIRST_EVENT_NUMBER, now: clock() };
  return { endpoint: await insertEndpoint(tx, row), secret };
}
