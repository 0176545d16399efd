/** Rules of the values of settings, the same for the environment and the database, and the logo. */
import { hash } from 'node:crypto';
import { PAGE_URL_RULE, parsePageUrl } from '../lib/outbound/redirect-policy.ts';
import { isLocale, toLocale } from '../lib/text/locale.ts';
import { parseColor } from './brand-color.ts';

/** A value breaks the rule of its setting. The message goes on after the name of the setting, on one line. */
export class InvalidValue extends Error {
  override name = 'InvalidValue';
}

/** Parses the text of a value. @throws InvalidValue */
export type Rule<T> = (text: string) => T;

export const anyText: Rule<string> = (text) => text;

export const splitList = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

/** Returns the rule of values that are separated by commas. */
export const list =
  <T>(rule: Rule<T>): Rule<T[]> =>
  (text) =>
    splitList(text).map(rule);

/** Returns the rule of one value of a list. `description` follows "must list". */
export function itemRule(isValid: (item: string) => boolean, description: string): Rule<string> {
  return (item) => {
    if (isValid(item)) return item;
    throw new InvalidValue(`must list ${description}, not ${quoted(item)}`);
  };
}

/** Quotes a value for a message, on one line whatever characters it contains. Not for secrets. */
export const quoted = (value: string): string => JSON.stringify(value);

export function integer({ min, max }: { readonly min: number; readonly max: number }): Rule<number> {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidValue(`must be a whole number from ${min} to ${max}, not ${quoted(text)}`);
  };
}

const MIN_HOURS = 0.1;
const MAX_HOURS = 8_760;

/** Accepts hours with decimals, from six minutes up to a year. */
export function hours(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (value >= MIN_HOURS && value <= MAX_HOURS) return value;
  throw new InvalidValue(`must be a number of hours from ${MIN_HOURS} to ${MAX_HOURS}, not ${quoted(text)}`);
}

/** Accepts `off` too, as null. */
export const allowOff =
  <T>(rule: Rule<T>): Rule<T | null> =>
  (text) =>
    text === 'off' ? null : rule(text);

export function choice<const T extends string>(choices: readonly T[]): Rule<T> {
  return (text) => {
    const found = choices.find((candidate) => candidate === text);
    if (found !== undefined) return found;
    throw new InvalidValue(`must be one of ${choices.join(', ')}, not ${quoted(text)}`);
  };
}

/** Scheme, host, port and path prefix. Without credentials, query and fragment, so that a path can be appended. */
const BASE_URL = /^https?:\/\/[^\s\\/?#@]+(\/[^\s\\?#]*)?$/i;

/** Accepts a URL that links begin with. Returns it normalized (RFC 3986 section 6.2.2), without a trailing slash. */
export function baseUrl(text: string): string {
  if (BASE_URL.test(text) && URL.canParse(text)) return new URL(text).href.replace(/\/+$/, '');
  // The text before an "@" may contain a password.
  const shown = text.includes('@') ? '' : `, not ${quoted(text)}`;
  throw new InvalidValue(
    `must be a URL such as https://accounts.example.com, without user, query or fragment${shown}`,
  );
}

/** Accepts the URL of a page to which others lead; returns it in its normal form. */
export function pageUrl(text: string): string {
  const url = parsePageUrl(text);
  if (url !== null) return url.href;
  const shown = text.includes('@') ? '' : `, not ${quoted(text)}`;
  throw new InvalidValue(`must be a URL such as https://app.example.com, ${PAGE_URL_RULE}${shown}`);
}

/** Accepts a hexadecimal colour; returns it with six digits. */
export function hexColor(text: string): string {
  const color = parseColor(text);
  if (color !== null) return color;
  throw new InvalidValue(`must be a hexadecimal colour such as #3f52d4, not ${quoted(text)}`);
}

/** Accepts a language tag (BCP 47); returns it in canonical form. */
export function languageTag(text: string): string {
  const locale = toLocale(text);
  if (locale !== null && isLocale(locale)) return locale;
  throw new InvalidValue(`must be a language tag such as de or pt-BR, not ${quoted(text)}`);
}

const MAX_NAME_LENGTH = 60;
/** Line breaks, other control characters, and marks that reverse the text around them. */
export const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Accepts a name that people read, on one line. */
export function displayName(text: string): string {
  if ([...text].length <= MAX_NAME_LENGTH && text.isWellFormed() && !NOT_IN_NAMES.test(text)) return text;
  throw new InvalidValue(`must be a name of at most ${MAX_NAME_LENGTH} characters on one line`);
}

/** 128 bits in hexadecimal digits. */
const MIN_SECRET_LENGTH = 32;

export const SECRET_RULE = `at least ${MIN_SECRET_LENGTH} visible ASCII characters without spaces (openssl rand -hex 32)`;

/** Returns whether the text is long enough and can be sent in a header (RFC 9110 section 5.5). */
export function isSecret(text: string): boolean {
  return text.length >= MIN_SECRET_LENGTH && /^[\x21-\x7e]+$/.test(text);
}

/** One secret, which may contain commas. */
export function secret(given: string): string {
  if (isSecret(given)) return given;
  throw new InvalidValue(`must have ${SECRET_RULE}`);
}

/** Secrets separated by commas. */
export function secrets(text: string): string[] {
  const given = splitList(text);
  if (given.length === 0) throw new InvalidValue(`must have ${SECRET_RULE}, not commas alone`);
  return given.map(secret);
}

/** A public key of age, of the kinds that the library encrypts for: bech32, in which 1, b, i and o do not occur. */
export function ageRecipient(text: string): string {
  if (/^age1(?:[02-9ac-hj-np-z]{58}|(?:pq|tag|tagpq)1[02-9ac-hj-np-z]{59,})$/.test(text)) return text;
  throw new InvalidValue(`must be a public key of age (age1…), not ${quoted(text)}`);
}

/** The logo of the instance: a small PNG, written as a data URL (RFC 2397). */
export const LOGO_TYPE = 'image/png';
const MAX_LOGO_BYTES = 65_536;
/** A small file can describe an image that takes gigabytes of memory to show. */
const MAX_PIXELS = 1_024;

const PREFIX = `data:${LOGO_TYPE};base64,`;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** The length and type of the first chunk, which is IHDR (PNG, third edition, section 11.2.1). */
const FIRST_CHUNK = Buffer.from([0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
const HEADER_BYTES = 24;

const RULE = `must be a PNG image of at most ${MAX_LOGO_BYTES} bytes and ${MAX_PIXELS} × ${MAX_PIXELS} pixels, as ${PREFIX}…`;

/** Parses a data URL. Only PNG, because SVG can contain scripts. @throws InvalidValue, without the text */
export function parseLogo(text: string) {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  const content = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  const { width, height } = readSize(content);
  const isSmall = Math.max(width, height) <= MAX_PIXELS && content.length <= MAX_LOGO_BYTES;
  if (width === 0 || height === 0 || !isSmall) throw new InvalidValue(RULE);
  // The version identifies the content in URLs.
  return { content, version: hash('sha256', content, 'hex').slice(0, 16), width, height };
}

/** Returns the size that the header of a PNG has in pixels; zero for anything else. */
function readSize(content: Buffer): { readonly width: number; readonly height: number } {
  const start = Buffer.concat([SIGNATURE, FIRST_CHUNK]);
  if (content.length < HEADER_BYTES || !content.subarray(0, start.length).equals(start))
    return { width: 0, height: 0 };
  return { width: content.readUInt32BE(16), height: content.readUInt32BE(20) };
}

export const toLogoText = (content: Buffer): string => PREFIX + content.toString('base64');

/** Describes a logo where its whole text would be too long: in lists, events and logs. */
export function describeLogo(text: string): string {
  const { content, width, height, version } = parseLogo(text);
  return `PNG, ${width} × ${height} pixels, ${content.length} bytes, SHA-256 ${version}…`;
}
