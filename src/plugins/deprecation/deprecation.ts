/** Deprecated operations: response headers (RFC 9745, RFC 8594), and 410 after the sunset. */
import type { Clock } from '../../lib/clock.ts';
import { Problem } from '../../problems/problem.ts';

/** Times in epoch milliseconds. */
export interface Deprecation {
  readonly deprecatedAt: number;
  /** From then on the operation responds with 410; not before `deprecatedAt`. */
  readonly sunsetAt?: number;
  /** The path of the operation that replaces it. */
  readonly successor?: string;
}

/** Returns Deprecation (RFC 9745), Sunset (RFC 8594) if a date is set, and links to the policy and the successor. */
export function deprecationHeaders(
  { deprecatedAt, sunsetAt, successor }: Deprecation,
  publicUrl: string,
): Record<string, string> {
  const links = [`<${publicUrl}/docs/lifecycle>; rel="deprecation"; type="text/html"`];
  if (successor !== undefined) links.push(`<${publicUrl}${successor}>; rel="successor-version"`);
  return {
    deprecation: `@${Math.floor(deprecatedAt / 1000)}`,
    ...(sunsetAt === undefined ? {} : { sunset: new Date(sunsetAt).toUTCString() }),
    link: links.join(', '),
  };
}

/** @throws Problem gone after the sunset */
export function rejectAfterSunset({ sunsetAt }: Deprecation, clock: Clock): void {
  if (sunsetAt !== undefined && clock() >= sunsetAt) throw new Problem('gone');
}
