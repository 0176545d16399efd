/** Begins the sign-in of a device without a browser (RFC 8628 section 3.1). */
import { getActionContext } from '../../../callers/action-context.ts';
import type { DatabaseDeps } from '../../../database/database.ts';
import { describeDevice } from '../../../lib/devices.ts';
import { hashToken, newRandomToken } from '../../../lib/secrets/tokens.ts';
import { MINUTE } from '../../../lib/time.ts';
import type { ApplicationRow } from '../../applications/application.ts';
import { OAuthError } from '../error-responses.ts';
import { selectScopes } from '../parameters.ts';
import { insertDevice } from './queries.ts';
import { createUserCode, type UserCodes } from './user-codes.ts';

const LIFETIME_MS = 10 * MINUTE;
const INTERVAL_SECONDS = 5;

/** Returns the response of RFC 8628 section 3.2 but for the URIs. @throws OAuthError unauthorized_client, invalid_scope */
export async function requestDevice(
  { database, clock, userCodes }: DatabaseDeps & { readonly userCodes: Pick<UserCodes, 'hash'> },
  { application, scope }: { readonly application: ApplicationRow; readonly scope: string | undefined },
  newUserCode = createUserCode,
) {
  rejectUnlessDevice(application);
  const scopes = selectScopes(scope, application);
  if (scope !== undefined && scopes === '')
    throw new OAuthError('invalid_scope', 'scope has none that the application may have');
  const device_code = newRandomToken();
  const now = clock();
  const { address: network, userAgent } = getActionContext();
  const row = {
    ...{ hash: hashToken(device_code), application_id: application.id, scopes },
    ...{ interval_seconds: INTERVAL_SECONDS, device: describeDevice(userAgent), network },
    ...{ created_at: now, expires_at: now + LIFETIME_MS },
  };
  const user_code = await database.transaction(async (tx) => {
    for (;;) {
      const code = newUserCode();
      if (await insertDevice(tx, { ...row, user_code_hash: userCodes.hash(code) })) return code;
    }
  });
  return { device_code, user_code, expires_in: LIFETIME_MS / 1000, interval: INTERVAL_SECONDS };
}

/** @throws OAuthError unauthorized_client */
export function rejectUnlessDevice({ device }: ApplicationRow): void {
  if (device === 0)
    throw new OAuthError(
      'unauthorized_client',
      'The application may not sign devices in: its member device is false',
    );
}
