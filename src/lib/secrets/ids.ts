import { v7, validate } from 'uuid';

/**
 * Returns a UUID version 7 (RFC 9562 section 5.7), ordered by call within one process. Options of `v7` would
 * turn that off.
 */
export const newId = (): string => v7();

/** Returns a text before all ids that are made at this time or later, and after those that were made before. */
export function firstIdAt(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-`;
}

/** Whether the text can be an id, in the lower case that the database compares. Other texts need no query. */
export const isId = (text: string): boolean => validate(text) && text === text.toLowerCase();
