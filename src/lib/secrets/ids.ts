import { v7, validate } from 'uuid';

/**
 * Returns a UUID version 7 (RFC 9562 section 5.7). Within one process ids are ordered by call, also within a
 * millisecond and when the clock is set back, so that lists end with the newest. (Options of `v7`, such as a
 * time, would turn that off.)
 */
export function newId(): string {
  return v7();
}

/** Whether the text can be an id, in the lower case that the database compares. Other texts need no query. */
export function isId(text: string): boolean {
  return validate(text) && text === text.toLowerCase();
}
