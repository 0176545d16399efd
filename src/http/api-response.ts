/**
 * The response of this service: every one carries the standing headers, without a route having to remember.
 * They are added where Node writes the head, because setting them one by one costs more than the rest of a
 * small request (see docs/decisions/0004-response-headers.md).
 */
import { ServerResponse } from 'node:http';

export interface StandingHeaders {
  /** Whether clients reach the service through TLS: adds Strict-Transport-Security. */
  readonly tls: boolean;
  /** Whether answers depend on the Origin header. */
  readonly cors: boolean;
}

/** Header names in lower case, as Fastify keeps them, with the spelling and value that are sent. */
type Standing = readonly (readonly [key: string, name: string, value: string])[];

/** OWASP REST Security Cheat Sheet, "Security Headers"; no-store also for errors (RFC 9110 lets caches keep 404s). */
export function standingHeaders(options: StandingHeaders): Standing {
  const headers: [string, string][] = [
    ['Cache-Control', 'no-store'],
    ['Vary', options.cors ? 'Accept, Origin' : 'Accept'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ['X-Frame-Options', 'DENY'],
    ['Referrer-Policy', 'no-referrer'],
    ['Cross-Origin-Resource-Policy', 'same-origin'],
  ];
  if (options.tls) headers.push(['Strict-Transport-Security', 'max-age=31536000']);
  return headers.map(([name, value]) => [name.toLowerCase(), name, value]);
}

export abstract class ApiResponse extends ServerResponse {
  /** Names and values in turn: what this one response carries besides (request id, rate limits). */
  readonly extraHeaders: string[] = [];
}

type HeaderObject = Readonly<Record<string, string | number | string[]>>;

/** The class that Node's server makes responses of. A route's own header replaces the standing one. */
export function apiResponseClass(options: StandingHeaders): typeof ServerResponse {
  const standing = standingHeaders(options);
  class StandingResponse extends ApiResponse {
    // Fastify calls this with an object of lower-case names, or, when it streams, without one.
    override writeHead(status: number, headers?: unknown): this {
      if (headers === undefined) {
        for (const [key, name, value] of standing) if (!this.hasHeader(key)) this.setHeader(name, value);
        const extra = this.extraHeaders;
        for (let i = 0; i < extra.length; i += 2) this.setHeader(extra[i]!, extra[i + 1]!);
        return super.writeHead(status);
      }
      return super.writeHead(status, flattened(headers as HeaderObject, standing, this.extraHeaders));
    }
  }
  return StandingResponse as unknown as typeof ServerResponse;
}

function flattened(headers: HeaderObject, standing: Standing, extra: readonly string[]): string[] {
  const flat: string[] = [];
  for (const name in headers) flat.push(spelling(name), headers[name] as string);
  for (const [key, name, value] of standing) if (headers[key] === undefined) flat.push(name, value);
  flat.push(...extra);
  return flat;
}

const spellings = new Map<string, string>();

/** `content-type` as `Content-Type`: one spelling for all headers of a response. The set of names is small. */
function spelling(name: string): string {
  const known = spellings.get(name);
  if (known !== undefined) return known;
  const spelled = SPECIAL[name] ?? name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  spellings.set(name, spelled);
  return spelled;
}

const SPECIAL: Readonly<Record<string, string>> = { etag: 'ETag', 'www-authenticate': 'WWW-Authenticate' };
