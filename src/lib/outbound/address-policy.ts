/** Decides which addresses the service connects to for URLs that others choose (server-side request forgery). */
import ipaddr from 'ipaddr.js';
import { type IpAddress, isMetadataAddress, isPublicAddress, parseAddress } from './public-address.ts';

export interface AddressPolicy {
  /** Whether the service may connect to the address by this scheme. Text that is no address is never permitted. */
  permits(address: string, scheme: UrlScheme): boolean;
  /** Whether the address is in one of the networks that the operator has allowed. */
  isInNetworks(address: string): boolean;
  readonly hasNetworks: boolean;
}

export type UrlScheme = 'http:' | 'https:';

export type Network = readonly [IpAddress, number];

/** Parses an address or a network in CIDR notation; undefined for anything else, IPv4-mapped networks included. */
export function parseNetwork(text: string): Network | undefined {
  const [written = '', bits, ...rest] = text.split('/');
  const address = parseAddress(written);
  if (address === undefined || rest.length > 0 || written.includes('%')) return undefined;
  if (written.includes(':') !== (address.kind() === 'ipv6')) return undefined;
  const width = address.kind() === 'ipv4' ? 32 : 128;
  const prefix = bits === undefined ? width : /^\d{1,3}$/.test(bits) ? Number(bits) : width + 1;
  return prefix > width ? undefined : [address, prefix];
}

/**
 * Permits public addresses by https, and those of the networks by http too. Metadata addresses of clouds are never
 * permitted, also in these networks.
 */
export function createAddressPolicy(allowed: readonly string[]): AddressPolicy {
  const networks = allowed.map((text) => {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`not a network: ${text}`);
    return network;
  });
  const isListed = (address: IpAddress) =>
    !isMetadataAddress(address) && networks.some((network) => isWithin(address, network));
  return {
    permits(text, scheme) {
      const address = parseAddress(text);
      if (address === undefined) return false;
      return isListed(address) || (scheme === 'https:' && isPublicAddress(address));
    },
    isInNetworks(text) {
      const address = parseAddress(text);
      return address !== undefined && isListed(address);
    },
    hasNetworks: networks.length > 0,
  };
}

export function isWithin(address: IpAddress, [network, prefix]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, prefix);
  return network instanceof ipaddr.IPv6 && address.match(network, prefix);
}

/** Returns the network in CIDR notation, without the bits behind the prefix. */
export function formatNetwork([address, prefix]: Network): string {
  const version = address instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${version.networkAddressFromCIDR(`${address}/${prefix}`)}/${prefix}`;
}
