/** Replaces the secret of an endpoint. Deliveries are signed with the replaced one, too, for a day. */
import type { Tx } from '../../database/database.ts';
import { tryUnseal } from '../../lib/secrets/encryption.ts';
import { DAY } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import { recordEvent } from '../events/record-event.ts';
import type { CreateEndpointDeps, EndpointWithSecret } from './create-endpoint.ts';
import { findSecrets, lockEndpoint, writeSecrets } from './queries.ts';
import { formatEndpointSubject } from './rules.ts';
import { newSecret } from './secrets.ts';

/** Time in which receivers learn the new secret. */
const OVERLAP_MS = DAY;

/** @throws Problem webhook_not_found */
export async function rotateSecret(
  { clock, webhookSecrets }: CreateEndpointDeps,
  tx: Tx,
  id: string,
): Promise<EndpointWithSecret> {
  if ((await lockEndpoint(tx, id)) === undefined) throw new Problem('webhook_not_found');
  const now = clock();
  const [replaced] = await findSecrets(tx, id, now);
  // A secret that was encrypted by a SECRET_KEY that is lost signs nothing any more.
  const isReadable = replaced !== undefined && tryUnseal(webhookSecrets, id, replaced) !== null;
  const secret = newSecret();
  await recordEvent(tx, { type: 'webhook.secret_rotated', subject: formatEndpointSubject(id), now });
  const previous = isReadable ? replaced : null;
  const previousUntil = isReadable ? now + OVERLAP_MS : null;
  const rotation = { id, secret: webhookSecrets.seal(id, secret), previous, previousUntil, now };
  return { endpoint: (await writeSecrets(tx, rotation))!, secret };
}
