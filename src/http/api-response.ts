/**
 * The response of this service: every one carries the standing headers, without a route having to remember.
 * They are added where Node writes the head, because setting them one by one costs more than the rest of a
 * small request (see docs/decisions/0004-response-headers.md).
 */
import { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';

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

type HeaderObject = Readonly<Record<string, string | number | string[]>>;

export abstract class ApiResponse extends ServerResponse {
  /** Names and values in turn: what this one response carries besides (request id, rate limits). */
  readonly extraHeaders: string[] = [];
  /** The request as the framework made it, once it has arrived. */
  received: FastifyRequest | null = null;
  /** When it arrived, in milliseconds of the process. */
  arrivedAt = 0;

  /** Sends the whole answer at once. Header names in lower case; a header given here replaces a standing one. */
  abstract answer(status: number, headers: HeaderObject, body: string | undefined): void;
}

export interface AnswerHooks {
  /** Called when an answer has been sent. */
  readonly onAnswered: (response: ApiResponse) => void;
  /** Asked when an answer is sent: also a request that came before the end was decided closes its connection. */
  readonly isDraining: () => boolean;
}

/** The class that Node's server makes responses of. */
export function apiResponseClass(
  options: StandingHeaders,
  { onAnswered, isDraining }: AnswerHooks = { onAnswered: () => {}, isDraining: () => false },
): typeof ServerResponse {
  const standing = standingHeaders(options);
  class StandingResponse extends ApiResponse {
    answer(status: number, headers: HeaderObject, body: string | undefined): void {
      const flat = flattened(headers, standing, this.extraHeaders);
      // RFC 9110 section 8.6: no length where there cannot be a body.
      if (body !== undefined) flat.push('Content-Length', String(Buffer.byteLength(body)));
      else if (status !== 204 && status !== 304) flat.push('Content-Length', '0');
      if (isDraining()) flat.push('Connection', 'close');
      super.writeHead(status, flat);
      this.end(body);
      onAnswered(this);
    }

    // For what the framework sends by itself: with an object of lower-case names or, for streams, without.
    override writeHead(status: number, given?: unknown): this {
      const headers = { ...this.getHeaders(), ...(given as HeaderObject | undefined) } as HeaderObject;
      for (const name of this.getHeaderNames()) this.removeHeader(name);
      return super.writeHead(status, flattened(headers, standing, this.extraHeaders));
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
