/**
 * Resolves names that others choose by c-ares. `lookup` of node:dns runs getaddrinfo in one of the few threads that
 * the whole process shares: a few names whose servers do not respond would delay every other lookup.
 */
import { type LookupAddress, promises } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createKeyedSemaphore } from '../queues/keyed-semaphore.ts';
import type { ResolveAddresses } from './guarded-connector.ts';

const TIMEOUT_MS = 3_000;
const HOSTS_FILE = '/etc/hosts';
/** Errors of name servers that getaddrinfo would ask again, for much longer. */
const UNANSWERED: readonly string[] = ['ETIMEOUT', 'ESERVFAIL'];

type LookUp = (name: string) => Promise<LookupAddress[]>;

/**
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

function toLookupAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}
