/** Bodies of HTML forms: parsed by @fastify/formbody with a strict parser, after their headers were checked. */
import formbody from '@fastify/formbody';
import fp from 'fastify-plugin';
import { invalidPayload } from '../../lib/text/json-size.ts';
import { acceptBodies } from './accept-bodies.ts';

/** The type of HTML forms, and no charset but UTF-8 (WHATWG URL section 5). */
export const FORM_TYPE =
  /^application\/x-www-form-urlencoded[\t ]*(?:;[\t ]*(?:charset="?utf-8"?[\t ]*)?)?$/i;

/** Without a parser, a body is an object of texts. Errors: Problem payload_too_large, unsupported_media_type, invalid_payload. */
export const formBodies = fp<{ readonly parser?: (body: string) => unknown }>(
  async (app, { parser = parseFormBody }) => {
    acceptBodies(app, { accept: 'application/x-www-form-urlencoded', pattern: FORM_TYPE });
    app.removeAllContentTypeParsers();
    await app.register(formbody, { parser: parser as typeof parseFormBody });
  },
);

const MAX_MEMBERS = 1_000;
/** Replacement character of bytes that are not UTF-8. Browsers escape the character itself. */
const REPLACEMENT_CHARACTER = '\uFFFD';

/**
 * Parses an `application/x-www-form-urlencoded` body, decoded from UTF-8, to an object of strings.
 * @throws Problem invalid_payload for bytes or escapes that are not UTF-8, invalid escapes, more than 1,000 members,
 * and a member that occurs twice
 */
export function parseFormBody(body: string): Record<string, string> {
  const members = new Map<string, string>();
  for (const [name, values] of parseFormValues(body, MAX_MEMBERS)) {
    if (values.length > 1) throw invalidPayload('A member name occurs twice');
    members.set(name, values[0]!);
  }
  // Defines members also for names such as __proto__, instead of setting them.
  return Object.fromEntries(members);
}

/**
 * Parses a body in which names may occur several times.
 * @throws Problem invalid_payload for bytes or escapes that are not UTF-8, invalid escapes, and too many members
 */
export function parseFormValues(body: string, maxMembers: number): Map<string, string[]> {
  if (body.includes(REPLACEMENT_CHARACTER)) throw invalidPayload('The body is not UTF-8');
  const pairs = body.split('&', maxMembers + 1);
  if (pairs.length > maxMembers) throw invalidPayload(`The body has more than ${maxMembers} members`);
  const members = new Map<string, string[]>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const [name, value] = readPair(pair);
    members.getOrInsert(name, []).push(value);
  }
  return members;
}

function readPair(pair: string): [name: string, value: string] {
  const separator = pair.indexOf('=');
  const end = separator === -1 ? pair.length : separator;
  return [decode(pair.slice(0, end)), decode(pair.slice(end + 1))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // The caught error is dropped, and the text is not quoted: a password would get into the log.
    throw invalidPayload('An escape of the body is not UTF-8');
  }
}
