/** Names of files that browsers save. */
import { normalizeShortNfkd } from '../text/normalize.ts';

/** A name of a file, with the text before the date of the export, may have 255 bytes. */
const MAX_LENGTH = 50;
/** Characters that no name may have on Windows, and invisible ones, which could hide the ending. */
const UNSAFE = /[\\/:*?"<>|\p{C}\p{Zl}\p{Zp}]+/gu;

/** Returns a title as the part of a name of a file; `fallback` if it has no visible character. */
export function toFileName(title: string, fallback: string): string {
  const text = [...title.replaceAll(UNSAFE, ' ')].slice(0, MAX_LENGTH).join('');
  // A name that begins with a dot is hidden.
  return (
    text
      .replaceAll(/\s+/g, ' ')
      .replace(/^[\s.]+/, '')
      .trimEnd() || fallback
  );
}

/**
 * Returns the value of Content-Disposition (RFC 6266): the name in ASCII for programs that know no other, and encoded
 * (RFC 8187) if it differs.
 */
export function formatAttachment(name: string): string {
  const letters = normalizeShortNfkd(name).replaceAll(/\p{M}/gu, '');
  const ascii = letters.replaceAll(/[^ -~]|[\\/:*?"<>|%]/gu, '_');
  const plain = `attachment; filename="${ascii}"`;
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encode(name)}`;
}

/** `encodeURIComponent` leaves characters that are no attr-char. */
function encode(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
