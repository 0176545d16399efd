/** Confirms changes of an account with its current password. */
import type { QueueClient } from '../../../../lib/queues/queue-lanes.ts';
import { normalizeEmail } from '../../../../lib/text/email-address.ts';
import { Problem } from '../../../../problems/problem.ts';
import { validationFailed } from '../../../../problems/validation-failed.ts';
import { findFirstLogin } from '../../../sign-in/queries.ts';
import { findCredentialsById, type UserRow } from '../../records/queries.ts';
import type { AccountDeps } from '../account-deps.ts';
import { getAttemptClient } from './hashing-client.ts';

export type ConfirmationDeps = Pick<AccountDeps, 'database' | 'clock' | 'passwords' | 'loginGuard'>;

export interface Confirmation {
  readonly user: UserRow;
  readonly currentPassword: string;
  readonly clientIp: string;
}

/**
 * Runs `work` with the hash that the current password matches. `work` compares it in its transaction
 * (`lockUserWithHash`) and returns null if it was replaced meanwhile: then the password is verified again.
 * @throws Problem validation_failed (wrong password, which counts as a failed login), too_many_requests, unauthorized
 */
export async function withCurrentPassword<T>(
  deps: ConfirmationDeps,
  { user, currentPassword, clientIp }: Confirmation,
  work: (verifiedHash: string, client: QueueClient) => Promise<T | null>,
): Promise<T> {
  const attempt = {
    accountKey: normalizeEmail(user.email ?? ''),
    clientIp,
    findFirstLogin: (network: string) => findFirstLogin(deps.database, user.id, network),
  };
  try {
    return await deps.loginGuard.run(attempt, async ({ firstLoginAt }) => {
      const client = getAttemptClient({ userId: user.id, clientIp, firstLoginAt, now: deps.clock() });
      for (;;) {
        const result = await work(
          await verifyCurrentPassword(deps, user.id, { currentPassword, client }),
          client,
        );
        if (result !== null) return result;
      }
    });
  } catch (error) {
    throw error instanceof Problem && error.code === 'invalid_login' ? wrongPassword() : error;
  }
}

/** Returns the hash that the password matches. @throws Problem invalid_login, which the guard counts */
async function verifyCurrentPassword(
  { database, passwords }: ConfirmationDeps,
  userId: string,
  { currentPassword, client }: { readonly currentPassword: string; readonly client: QueueClient },
): Promise<string> {
  const credentials = await findCredentialsById(database, userId);
  if (credentials?.state !== 'active') throw new Problem('unauthorized');
  const { matches } = await passwords.verify(currentPassword, credentials.password_hash, client);
  if (!matches || credentials.password_hash === null) throw new Problem('invalid_login');
  return credentials.password_hash;
}

function wrongPassword(): Problem {
  return validationFailed({ current_password: ['The current password is incorrect.'] });
}
