/** Decides which addresses the service connects to for URLs that others choose (server-side request forgery). */
import ipaddr from 'ipaddr.js';

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

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** ipaddr.js reads `::192.0.2.7` (deprecated by RFC 4291) as IPv4-mapped, but not with a zero in front. */
const IPV4_COMPATIBLE = /^(?=::\d+\.)/;

/** Parses an address in its written form. IPv4-mapped IPv6 becomes IPv4, because the kernel connects to that. */
export function parseAddress(text: string): IpAddress | undefined {
  const spelled = text.replace(IPV4_COMPATIBLE, '0');
  // IPv4 in its four-part form only: others are numbers that programs read in different ways.
  if (!ipaddr.IPv6.isValid(spelled) && !ipaddr.IPv4.isValidFourPartDecimal(spelled)) return undefined;
  return ipaddr.process(spelled);
}

/**
 * Addresses at which clouds offer credentials and settings of the machine. Some are public or in networks that an
 * operator may allow, so that their range alone does not exclude them.
 */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254', // AWS, Azure, Google Cloud, DigitalOcean, Oracle, OpenStack
  '169.254.170.2', // AWS ECS
  '169.254.170.23', // AWS EKS
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS EKS
  'fd20:ce::254', // Google Cloud
  '100.100.100.200', // Alibaba Cloud
  '192.0.0.192', // Oracle Cloud
  '168.63.129.16', // Azure
]);

/** RFC 3056: the IPv4 address is in the bits after this prefix. */
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');

/**
 * Whether a cloud offers credentials of the machine at this address, or at the IPv4 address in it: at its end in those
 * of NAT64 (of any prefix) and the link-local one of OpenStack, `fe80::a9fe:a9fe`. Zones are ignored.
 */
function isMetadataAddress(address: IpAddress): boolean {
  const bytes = address.toByteArray();
  const forms = [bytes, bytes.slice(-4)];
  if (address instanceof ipaddr.IPv6 && address.match(SIX_TO_FOUR)) forms.push(bytes.slice(2, 6));
  return forms.some((form) => METADATA_ADDRESSES.has(ipaddr.fromByteArray(form).toString()));
}

/** IPv6 outside of it is not global unicast (RFC 4291 section 2.4), whatever its range is called. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** An IPv4 address in the last 32 bits (RFC 6052): on networks without IPv4, every IPv4 server has such an address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether the address is one of the public internet: global unicast, and of no special purpose (RFC 6890). An
 * address of NAT64 is public if the IPv4 address in it is; those of other tunnels never are.
 */
function isPublicAddress(address: IpAddress): boolean {
  if (isMetadataAddress(address)) return false;
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  if (address.match(NAT64)) return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}
