/** Settings of webhooks. */
import { parseNetwork } from '../lib/outbound/address-policy.ts';
import { isEmailAddress } from '../lib/text/email-address.ts';
import { ConfigError, quoted, type Reader } from './reader.ts';

/** Reads the address that gets messages about the service itself; null if not set. @throws ConfigError */
export function operatorEmail(read: Reader, name: string): string | null {
  const address = read.text(name);
  if (address === null || isEmailAddress(address)) return address;
  throw new ConfigError(name, `must be an email address, not ${quoted(address)}`);
}

/**
 * Reads the addresses and networks that webhooks are delivered to besides public addresses.
 * @throws ConfigError for anything else, and for a network that contains every address
 */
export function webhookNetworks(read: Reader, name: string): string[] {
  const list = read.list(name);
  for (const text of list) {
    const network = parseNetwork(text);
    if (network === undefined)
      throw new ConfigError(
        name,
        `must list addresses or networks such as 10.0.0.0/8 or ::1, not ${quoted(text)}`,
      );
    if (network[1] === 0)
      throw new ConfigError(
        name,
        `must list only your networks: ${quoted(text)} would allow webhooks to every address`,
      );
  }
  return list;
}
