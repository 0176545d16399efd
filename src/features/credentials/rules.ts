/** Rules of credentials: pure functions. */
import { ADMIN_SCOPE_NAMES, type AdminScope } from '../../callers/admin-scopes.ts';
import { FIRST_OWNER } from '../../callers/callers.ts';
import { formatNetwork, isWithin, parseAddress, parseNetwork } from '../../lib/outbound/address-policy.ts';
import { isId } from '../../lib/secrets/ids.ts';
import { normalizeName } from '../../lib/text/normalize.ts';
import { parseTimestamp } from '../../lib/time.ts';
import { Problem } from '../../problems/problem.ts';
import { alreadyTaken, validationFailed } from '../../problems/validation-failed.ts';

export const MAX_CREDENTIALS = 200;
export const MAX_NETWORKS = 20;
/** For which a replaced secret stays valid. */
export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const MAX_OVERLAP_SECONDS = 7 * 86_400;

/** Names of actors that have no record: an event must not seem to be theirs. */
const RESERVED_NAMES = [FIRST_OWNER.name, 'command line', 'console'].map(normalizeName);

/** Returns the form in which names are unique. @throws Problem credential_name_taken for a reserved name */
export function toNameKey(name: string): string {
  const key = normalizeName(name);
  if (RESERVED_NAMES.includes(key)) throw nameTaken();
  return key;
}

export const nameTaken = () => alreadyTaken('credential_name_taken', 'name');

/** Returns the scopes as they are stored: each once, in their documented order. */
export function toStoredScopes(scopes: readonly string[]): string {
  return ADMIN_SCOPE_NAMES.filter((scope) => scopes.includes(scope)).join(' ');
}

/** Returns stored scopes, without those of a later release. */
export function parseScopes(stored: string): AdminScope[] {
  const names = stored.split(' ');
  return ADMIN_SCOPE_NAMES.filter((scope) => names.includes(scope));
}

/** Returns the networks as they are stored: each once, in CIDR notation. @throws Problem validation_failed */
export function toStoredNetworks(networks: readonly string[] | null): string | null {
  if (networks === null) return null;
  return JSON.stringify([...new Set(networks.map(normalizeNetwork))]);
}

function normalizeNetwork(text: string): string {
  const network = parseNetwork(text.trim());
  if (network === undefined)
    throw validationFailed({
      networks: ['The networks field must contain addresses or networks such as 192.0.2.0/24 only.'],
    });
  return formatNetwork(network);
}

/** Whether a credential with these networks may be used from the address. Text that is no address is in none. */
export function isFromNetworks(stored: string | null, clientIp: string): boolean {
  if (stored === null) return true;
  const address = parseAddress(clientIp);
  if (address === undefined) return false;
  return (JSON.parse(stored) as string[]).some((text) => {
    const network = parseNetwork(text);
    return network !== undefined && isWithin(address, network);
  });
}

/** Returns epoch milliseconds; null for a credential that does not expire. @throws Problem validation_failed */
export function parseExpiry(text: string | null, now: number): number | null {
  if (text === null) return null;
  const time = parseTimestamp(text);
  if (time === null)
    throw validationFailed({
      expires_at: ['The expires_at field must be a time such as 2026-01-05T09:30:00Z.'],
    });
  if (time <= now) throw validationFailed({ expires_at: ['The expires_at field must be in the future.'] });
  return time;
}

/** @throws Problem credential_not_found for a text that cannot be an id, which saves a query */
export function parseCredentialId(id: string): string {
  if (!isId(id)) throw new Problem('credential_not_found');
  return id;
}
