/** Names of tokens. */
import type { UserToken } from '../../common/api-types.ts';

/** The name of all tokens from logins. */
const SESSION = 'auth_token';

/** Sessions are recognised by their device, tokens of programs by their name. */
export function toTitle({ name, device }: UserToken): string {
  if (device === null) return name === SESSION ? 'Unknown device' : name;
  return name === SESSION ? device : `${name}, ${device}`;
}

/** Returns the title with the first characters, by which tokens of one name differ. */
export function formatToken(token: UserToken): string {
  const { first_characters } = token;
  return first_characters === null ? toTitle(token) : `${toTitle(token)} (${first_characters}…)`;
}
