/**
 * The response of this service: every one carries the standing headers, without a route having to remember.
 * They stand ready as text, because Node checks and copies each header of each answer, and these never change
 * (see docs/decisions/0004-response-headers.md).
 */
import type { Connection } from '../connection.ts';
import { ServerResponse } from '../node-http.ts';

/** How long an answer may wait for a client that does not read it. */
const STALLED_TIMEOUT_MS = 75_000;
/** How long a client that has been refused may pause in sending what nobody reads. */
export const LINGER_TIMEOUT_MS = 2_000;

export interface DefaultHeaderOptions {
  /** Whether clients reach the service through TLS: adds Strict-Transport-Security. */
  readonly tls: boolean;
  /** Whether answers depend on the Origin header. */
  readonly cors: boolean;
}

/** By name in lower case. */
export type Headers = Readonly<Record<string, string>>;

/** OWASP REST Security Cheat Sheet, "Security Headers"; no-store also for errors (RFC 9110 lets caches keep 404s). */
export function defaultHeaders(options: DefaultHeaderOptions): Headers {
  return {
    'cache-control': 'no-store',
    vary: options.cors ? 'Accept, Origin' : 'Accept',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(options.tls ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

/** The lines that they are on the wire. @throws TypeError for a value that would begin another line */
export function headerLines(headers: Headers): string {
  return Object.entries(headers)
    .map(([name, value]) => headerLine(name, value))
    .join('');
}

/** Everything but visible characters, spaces and tabs (RFC 9110 section 5.5). */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

function headerLine(name: string, value: string): string {
  if (FORBIDDEN.test(value))
    throw new TypeError(`The header ${name} has a character that no header may have`);
  return `${spelling(name)}: ${value}\r\n`;
}

declare module 'node:http' {
  interface ServerResponse {
    /** Where Node writes the head: first the status line, then the headers that it was given, and its own. */
    _storeHeader(firstLine: string, headers: unknown): void;
    /** Whether Node closes the connection as soon as the answer is out. */
    _last: boolean;
  }
}

export abstract class ApiResponse extends ServerResponse {
  /**
   * What this one answer carries besides the standing headers: whole header lines. They go out unchecked: what
   * is put here is made by our own code, or has been checked.
   */
  extraLines = '';

  /** Whether the client has still to be told that it may send its body (Expect: 100-continue). */
  awaitsContinue = false;

  /** Sends the whole answer at once. A header given here replaces a standing one. */
  abstract answer(status: number, headers: Headers, body: string | undefined): void;
}

/**
 * The class that Node's server makes responses of. `isDraining` is asked when an answer is sent: a request that
 * came before the end was decided closes its connection, too.
 */
export function apiResponseClass(
  options: DefaultHeaderOptions,
  isDraining: () => boolean,
): typeof ServerResponse {
  const standing = defaultHeaders(options);
  const allLines = headerLines(standing);
  const remainingLines = (headers: Headers) =>
    headerLines(Object.fromEntries(Object.entries(standing).filter(([name]) => !(name in headers))));

  class StandingResponse extends ApiResponse {
    standingLines = allLines;

    answer(status: number, headers: Headers, body: string | undefined): void {
      let replaces = false;
      let lines = '';
      for (const name in headers) {
        if (name in standing) replaces = true;
        if (name !== 'connection') lines += headerLine(name, headers[name]!);
      }
      this.extraLines += lines;
      if (replaces) this.standingLines = remainingLines(headers);
      // What Node goes by itself, it is told.
      const own: string[] = [];
      const length = body === undefined ? 0 : Buffer.byteLength(body);
      // RFC 9110 section 8.6: no length where there cannot be a body.
      if (body !== undefined || (status !== 204 && status !== 304)) own.push('Content-Length', `${length}`);
      const connection: Connection = this.req.socket;
      const isLast = this.isLast(headers, connection);
      if (isLast) connection.isEnding = true;
      const lingers = isLast && !this.req.complete;
      if (lingers) this.closeAfterRequest();
      else if (isLast) own.push('Connection', 'close');
      this.writeHead(status, own);
      if (lingers) this._last = false;
      // As many bytes as characters is ASCII, which Latin-1 writes the same and Node writes faster.
      this.end(body, length === body?.length ? 'latin1' : 'utf8');
      // The rare client that is not reading: else timers would cost every answer what its log line does.
      const { socket } = this;
      if (socket !== null && socket.writableLength > 0) socket.setTimeout(STALLED_TIMEOUT_MS);
    }

    /** Whether the connection ends with this answer: because of it, of the client, or of a drain. */
    isLast(headers: Headers, { newestRequest }: Connection): boolean {
      return (
        headers.connection === 'close' ||
        !this.shouldKeepAlive ||
        this.awaitsContinue ||
        (isDraining() && newestRequest === this.req)
      );
    }

    /**
     * RFC 9112 section 9.6: who closes while the client still writes resets the connection, and the answer may
     * be lost with it. Our side is closed; what still comes is thrown away until the request ends, pauses, or
     * has taken the time that a request may take.
     */
    closeAfterRequest(): void {
      const { socket } = this.req;
      this.extraLines += 'Connection: close\r\n';
      // Else Node would say keep-alive besides.
      this.removeHeader('connection');
      this.req.once('end', () => socket.destroySoon());
      this.once('finish', () => socket.end().setTimeout(LINGER_TIMEOUT_MS));
    }

    override _storeHeader(firstLine: string, headers: unknown): void {
      super._storeHeader(firstLine + this.standingLines + this.extraLines, headers);
    }
  }
  return StandingResponse as unknown as typeof ServerResponse;
}

const spellings = new Map<string, string>([
  ['etag', 'ETag'],
  ['www-authenticate', 'WWW-Authenticate'],
]);

/** `content-type` as `Content-Type`: one spelling for all headers of a response. The set of names is small. */
function spelling(name: string): string {
  const known = spellings.get(name);
  if (known !== undefined) return known;
  const spelled = name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
  spellings.set(name, spelled);
  return spelled;
}
