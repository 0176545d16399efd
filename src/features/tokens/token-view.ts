import { timestamp } from '../../lib/time/clock.ts';
import type { TokenRow } from './queries.ts';

/** Returns a token as the API shows it to its user and to the administrator. */
export function tokenView(token: TokenRow) {
  return {
    id: token.id,
    name: token.name,
    first_characters: token.first_characters,
    scopes: token.scopes.split(' '),
    created_at: timestamp(token.created_at),
    last_used_at: token.last_used_at === null ? null : timestamp(token.last_used_at),
    expires_at: timestamp(token.expires_at),
    device: token.device,
    network: token.network,
    last_used_network: token.last_used_network,
  };
}
