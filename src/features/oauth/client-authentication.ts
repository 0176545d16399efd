/** Authentication of applications (RFC 6749 section 2.3). */
import type { IncomingHttpHeaders } from 'node:http';
import type { DatabaseDeps } from '../../database/database.ts';
import { hashToken } from '../../lib/secrets/tokens.ts';
import type { ApplicationRow } from '../applications/application.ts';
import { findApplication, hasSecret } from '../applications/queries.ts';
import { OAuthError } from './error-responses.ts';
import type { Parameters } from './parameters.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** @throws OAuthError invalid_client, invalid_request for more than one method */
export async function authenticateClient(
  { database, clock }: DatabaseDeps,
  { authorization }: IncomingHttpHeaders,
  parameters: Parameters,
): Promise<ApplicationRow> {
  const { client_id: id, client_secret: secret } =
    authorization === undefined ? parameters : readBasic(authorization, parameters);
  const application = await findApplication(database, id);
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

/** Both parts are encoded as in forms (RFC 6749 section 2.3.1). */
function readBasic(authorization: string, given: Parameters): Parameters {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw rejected();
  const [, id = '', secret] = /^([^:]*):?(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())!.map(decode);
  if (given.client_secret !== undefined || ![undefined, id].includes(given.client_id))
    throw new OAuthError('invalid_request', 'The client is authenticated by more than one method');
  return { client_id: id, client_secret: secret === '' ? undefined : secret };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw rejected();
  }
}
