/** Authentication of applications at the endpoints that are no pages (RFC 6749 section 2.3). */
import type { DatabaseDeps } from '../../database/database.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import { type ApplicationRow, findApplication, hasSecret } from '../applications/queries.ts';
import { OAuthError } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** @throws OAuthError invalid_client, invalid_request for more than one method */
export async function authenticateClient(
  { database, clock }: DatabaseDeps,
  authorization: string | undefined,
  parameters: Parameters,
): Promise<ApplicationRow> {
  const { id, secret } = readCredentials(authorization, parameters);
  const application = id !== undefined && isId(id) ? await findApplication(database, id) : undefined;
  if (application === undefined) throw rejected();
  const isAuthentic =
    application.kind === 'public'
      ? secret === undefined
      : secret !== undefined && (await hasSecret(database, hashToken(secret), application.id, clock()));
  if (!isAuthentic) throw rejected();
  return application;
}

const rejected = () =>
  new OAuthError('invalid_client', 'The client is unknown, or its authentication is wrong');

function readCredentials(authorization: string | undefined, { client_id, client_secret }: Parameters) {
  if (authorization === undefined) return { id: client_id, secret: client_secret };
  const [, encoded] = BASIC.exec(authorization) ?? [];
  if (encoded === undefined) throw rejected();
  const [id = '', secret] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s).map(decode);
  if (client_secret !== undefined || (client_id !== undefined && client_id !== id))
    throw new OAuthError('invalid_request', 'The client is authenticated by more than one method');
  return { id, secret: secret === '' ? undefined : secret };
}

/** Both are encoded as in forms (RFC 6749 section 2.3.1). */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw rejected();
  }
}
