/** Connections to permitted addresses only. */
import { type LookupAddress, type LookupOptions, promises } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { createKeyedSemaphore } from '../queues/shared-work.ts';
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

function findFailure(addresses: readonly LookupAddress[], isPermitted: (address: string) => boolean) {
  if (addresses.length === 0) return new NameNotResolved('the name has no address');
  if (addresses.every(({ address }) => isPermitted(address))) return null;
  return new AddressNotPermitted('the name has an address that is not permitted');
}

function toLookupError(error: Error): Error {
  if (error instanceof AddressNotPermitted || error instanceof NameNotResolved) return error;
  return new NameNotResolved(error.message, { cause: error });
}

const TIMEOUT_MS = 3_000;
const HOSTS_FILE = '/etc/hosts';
/** Errors of name servers that getaddrinfo would ask again, for much longer. */
const UNANSWERED: readonly string[] = ['ETIMEOUT', 'ESERVFAIL'];

type LookUp = (name: string) => Promise<LookupAddress[]>;

/**
 * Resolves names by c-ares: `lookup` of node:dns runs getaddrinfo in one of the few threads that the whole process
 * shares, where a few names whose servers do not respond would delay every other lookup.
 *
 * Returns a resolver that reads the hosts file, then asks the name servers, and then the operating system, which may
 * know names by other means, for one name at a time.
 */
export function createResolver(
  servers?: readonly string[],
  lookUp: LookUp = (name) => promises.lookup(name, { all: true }),
): ResolveAddresses {
  const resolver = new promises.Resolver({ timeout: TIMEOUT_MS, tries: 1 });
  if (servers !== undefined) resolver.setServers(servers);
  const semaphore = createKeyedSemaphore(1);
  const resolve: LookUp = async (name) => {
    const listed = await readHosts(name);
    if (listed.length > 0) return listed;
    return (await askServers(resolver, name)) ?? semaphore('lookUp', () => lookUp(name));
  };
  return (name, _options, callback) =>
    void resolve(name).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
}

/** Returns the addresses of a name in the hosts file. */
async function readHosts(name: string): Promise<LookupAddress[]> {
  const text = await readFile(HOSTS_FILE, 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  const listed = lines.filter(([, ...names]) => names.some((each) => each.toLowerCase() === name));
  return listed.map(([address]) => toLookupAddress(address!)).filter(({ family }) => family !== 0);
}

/** Returns undefined for a name that the servers do not know. */
async function askServers(resolver: promises.Resolver, name: string): Promise<LookupAddress[] | undefined> {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found.map(toLookupAddress);
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const unanswered = failures.find(({ code }) => UNANSWERED.includes(code));
  if (unanswered !== undefined) throw unanswered;
  return undefined;
}

const toLookupAddress = (address: string): LookupAddress => ({ address, family: isIP(address) });
