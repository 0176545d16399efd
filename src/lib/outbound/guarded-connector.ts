/** Connections to permitted addresses only. */
import type { LookupAddress, LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import type { AddressPolicy, UrlScheme } from './address-policy.ts';

/** Resolves a name to all of its addresses, with the signature of `lookup` of node:dns. */
export type ResolveAddresses = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export class NameNotResolved extends Error {
  override name = 'NameNotResolved';
}

export class AddressNotPermitted extends Error {
  override name = 'AddressNotPermitted';
}

/**
 * Wraps a connector, which connects to the host of the URL, with the checks of the policy. A host that is an address
 * is checked here, because sockets look up names only.
 */
export function guardConnector(
  connect: buildConnector.connector,
  policy: AddressPolicy,
): buildConnector.connector {
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(host) !== 0 && !policy.permits(host, options.protocol as UrlScheme))
      callback(new AddressNotPermitted('the address of the URL is not permitted'), null);
    else connect(options, callback);
  };
}

/**
 * Returns the lookup of sockets. They connect to the addresses that it returns, so that a name that resolves to
 * others afterwards changes nothing. One address that is not permitted is enough to reject the name.
 */
export function createGuardedLookup(
  policy: AddressPolicy,
  resolve: ResolveAddresses,
): (scheme: UrlScheme) => LookupFunction {
  return (scheme) => (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const failure = error ?? findFailure(addresses, (address) => policy.permits(address, scheme));
      if (failure !== null) callback(toLookupError(failure), []);
      else if (options.all) callback(null, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
}

function findFailure(
  addresses: readonly LookupAddress[],
  isPermitted: (address: string) => boolean,
): Error | null {
  if (addresses.length === 0) return new NameNotResolved('the name has no address');
  if (addresses.every(({ address }) => isPermitted(address))) return null;
  return new AddressNotPermitted('the name has an address that is not permitted');
}

function toLookupError(error: Error): Error {
  if (error instanceof AddressNotPermitted || error instanceof NameNotResolved) return error;
  return new NameNotResolved(error.message, { cause: error });
}
