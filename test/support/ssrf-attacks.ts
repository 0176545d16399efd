/**
 * URLs by which attackers make a service send requests to its own network (server-side request forgery), in the forms
 * of public collections of such payloads, each with the reason why it is rejected.
 */
import attacks from './ssrf-attacks.json' with { type: 'json' };

/** Rejected when they are entered: no request could ever be sent to them. */
export const REJECTED_URLS = Object.entries(attacks.rejected).flatMap(([reason, urls]) =>
  urls.map((url) => ({ url, reason })),
);

/** Names that resolve to private addresses, and addresses that they resolve to: rejected before connecting. */
export const NAMES_OF_PRIVATE_ADDRESSES = attacks.names as [string, string][];

/** Accepted: the rules against the others do not reject them. */
export const PUBLIC_URLS: readonly string[] = attacks.accepted;
