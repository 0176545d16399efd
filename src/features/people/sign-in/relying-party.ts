/** The relying party of passkeys (WebAuthn Level 3, section 4): the domain that they belong to, and who may use them. */
import { isIP } from 'node:net';
import { isPlainHttp } from '../../../lib/routes/routes.ts';
import { Problem } from '../../../problems/problem.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';

export interface RelyingParty {
  /** The domain (RP ID). */
  readonly id: string;
  /** Origins whose pages may use its passkeys. Without PUBLIC_URL none: that of the service at localhost may. */
  readonly origins: readonly string[];
  /** Those of them that browsers read at `/.well-known/webauthn`. */
  readonly related: readonly string[];
}

/**
 * Returns the relying party of the settings, null where no browser has passkeys: at an IP address, and at another machine
 * without TLS. A text says what is wrong with RP_ID.
 */
export function createRelyingParty(settings: {
  readonly publicUrl: string | null;
  readonly rpId: string | null;
  readonly related: readonly string[];
}): RelyingParty | null | string {
  const { publicUrl, rpId, related } = settings;
  if (publicUrl === null) return { id: 'localhost', origins: [], related };
  const { origin, hostname } = new URL(publicUrl);
  if (isIP(hostname.replace(/[[\]]/g, '')) !== 0 || isPlainHttp(publicUrl)) return null;
  const id = rpId ?? hostname;
  const isBelow = hostname === id || hostname.endsWith(`.${id}`);
  if (!isBelow && !related.includes(origin))
    return `must be ${hostname}, the host of PUBLIC_URL, or a domain above it, unless PASSKEY_ORIGINS lists ${origin}`;
  return { id, origins: [...new Set([origin, ...related])], related };
}

interface PasskeySettings {
  readonly relyingParty: RelyingParty | null;
  readonly settings: CurrentSettingsSource;
}

/** Returns the domain whose passkeys can be used now; null: none can. */
export function getRpId({ relyingParty, settings }: PasskeySettings): string | null {
  return settings.current.passkeySignIn ? (relyingParty?.id ?? null) : null;
}

/** Returns the domain whose passkeys pages at this host name can use now; null: none can. */
export function getRpIdAt(deps: PasskeySettings, hostname: string): string | null {
  const id = getRpId(deps);
  return deps.relyingParty?.origins.length === 0 && hostname !== id ? null : id;
}

/**
 * Returns the relying party of a request. Without PUBLIC_URL, only the address at which the service listens on this
 * machine has passkeys: any other Host could be chosen by the sender. @throws Problem passkeys_unavailable
 */
export function requireRelyingParty(
  deps: PasskeySettings,
  request: { readonly hostname: string; readonly socket: { readonly localPort?: number | undefined } },
): RelyingParty {
  const { hostname, socket } = request;
  const { relyingParty } = deps;
  if (relyingParty === null || getRpIdAt(deps, hostname) === null) throw new Problem('passkeys_unavailable');
  if (relyingParty.origins.length > 0) return relyingParty;
  return { ...relyingParty, origins: [`http://localhost:${socket.localPort}`] };
}
