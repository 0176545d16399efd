/** Credentials as the API and the commands show them. */
import type { AdminCredential } from '../../callers/callers.ts';
import { timestamp } from '../../lib/time/clock.ts';
import type { CredentialRow } from './queries.ts';
import { parseScopes } from './rules.ts';

const optionalTime = (time: number | null) => (time === null ? null : timestamp(time));

/** Returns a credential as the API shows it, without its secret. */
export function credentialView(
  credential: CredentialRow,
  { caller, now }: { caller: AdminCredential; now: number },
) {
  const { id, name, scopes, networks, first_characters, previous_until } = credential;
  return {
    id,
    name,
    scopes: parseScopes(scopes),
    networks: networks === null ? null : (JSON.parse(networks) as string[]),
    first_characters,
    created_at: timestamp(credential.created_at),
    expires_at: optionalTime(credential.expires_at),
    last_used_at: optionalTime(credential.last_used_at),
    rotated_at: optionalTime(credential.rotated_at),
    previous_until: optionalTime(previous_until !== null && previous_until > now ? previous_until : null),
    totp_enabled_at: optionalTime(credential.totp_enabled_at),
    current: id === caller.id,
  };
}
