/** Replaces the secret of an endpoint. Deliveries are signed with the replaced one, too, for a day. */
import type { Tx } from '../../database/database.ts';
import { DAY } from '../../lib/time/clock.ts';
import { Problem } from '../../problems/problem.ts';
import type { CreateEndpointDeps, EndpointWithSecret } from './create-endpoint.ts';
import { rotateSecretRow } from './queries.ts';
import { newSecret } from './secrets.ts';

/** Time in which receivers learn the new secret. */
const OVERLAP_MS = DAY;

/** @throws Problem webhook_not_found */
export async function rotateSecret(
  { clock, webhookSecrets }: CreateEndpointDeps,
  tx: Tx,
  id: string,
): Promise<EndpointWithSecret> {
  const secret = newSecret();
  const now = clock();
  const rotation = { secret: webhookSecrets.seal(id, secret), previousUntil: now + OVERLAP_MS, now };
  const endpoint = await rotateSecretRow(tx, id, rotation);
  if (endpoint === undefined) throw new Problem('webhook_not_found');
  return { endpoint, secret };
}
