/** The logo of the instance: a small PNG, written as a data URL (RFC 2397). */
import { hash } from 'node:crypto';
import { InvalidValue } from './rules.ts';

export type Logo = ReturnType<typeof parseLogo>;

export const LOGO_TYPE = 'image/png';
export const MAX_LOGO_BYTES = 65_536;
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

export function toLogoText(content: Buffer): string {
  return PREFIX + content.toString('base64');
}

/** Describes a logo where its whole text would be too long: in lists, events and logs. */
export function describeLogo(text: string): string {
  const { content, width, height, version } = parseLogo(text);
  return `PNG, ${width} × ${height} pixels, ${content.length} bytes, SHA-256 ${version}…`;
}
