/** What a request may carry: one media type, one encoding, parsed in one place. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Problem } from '../../problems.ts';
import type { ApiResponse } from '../response/default-headers.ts';

const LIMIT_BYTES = 1_048_576;

/** `application/json` or `application/<anything>+json`, and no charset but UTF-8 (RFC 8259 section 8.1). */
const READABLE_TYPE =
  /^application\/(?:json|[\w.!#$&^-]+\+json)[\t ]*(?:;[\t ]*(?:charset="?utf-8"?[\t ]*)?)?$/i;

/** RFC 9112 section 6.3: the headers say so, not the method. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Refuses a body before it is read, also where nobody would read it. @throws Problem payload_too_large,
 * unsupported_media_type with what would be accepted (RFC 9110 section 15.5.16)
 */
export function checkContent(headers: IncomingHttpHeaders): void {
  if (!hasBody(headers)) return;
  if (Number(headers['content-length']) > LIMIT_BYTES) throw tooLarge();
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Problem('unsupported_media_type', { headers: { 'accept-encoding': 'identity' } });
  }
  const type = headers['content-type'];
  if (type === 'application/json') return;
  if (type === undefined || !READABLE_TYPE.test(type)) {
    throw new Problem('unsupported_media_type', { headers: { accept: 'application/json' } });
  }
}

/**
 * Gives the whole body of a request that has one; a client that waits to be asked for it is asked (RFC 9110
 * section 10.1.1).
 * @throws Problem payload_too_large, as soon as that is known; malformed_request when the client goes away
 */
export function readBody(request: IncomingMessage, response: ApiResponse): Promise<Buffer> {
  if (response.awaitsContinue) {
    response.awaitsContinue = false;
    response.writeContinue();
  }
  return new Promise((resolve, reject) => {
    // It went away while its credential was looked up: nothing more will be heard of it.
    if (request.destroyed) throw new Problem('malformed_request');
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > LIMIT_BYTES) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', (error) => reject(new Problem('malformed_request', { cause: error })));
  });
}

/** What is left of the body would be read as the next request: the connection ends. */
function tooLarge(): Problem {
  return new Problem('payload_too_large', { headers: { connection: 'close' } });
}
