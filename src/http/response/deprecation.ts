/** Operations that are about to go: what their answers carry (RFC 9745, RFC 8594), and the 410 afterwards. */

import type { Clock } from '../../lib/clock.ts';
import { Problem } from '../../problems.ts';

/** Times in epoch milliseconds. */
export interface Deprecation {
  /** Since when it is deprecated. */
  readonly deprecatedAt: number;
  /** From when on it answers 410; not before `deprecatedAt`. */
  readonly sunsetAt?: number;
  /** The path of what comes after it. */
  readonly successor?: string;
}

/** Deprecation (RFC 9745), Sunset (RFC 8594) and where to read on; Sunset only once it is set. */
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
