import { randomBytes } from 'node:crypto';

/**
 * UUID version 7 (RFC 9562 section 5.7): ordered by time, and within one process ordered by call also inside
 * a millisecond (the 12 bits of rand_a count, section 6.2 method 1), so that lists end with the newest.
 */
export function newId(now: number = Date.now()): string {
  if (now > last) {
    last = now;
    counter = randomBytes(2).readUInt16BE() & 0x7ff;
  } else if (++counter > 0xfff) {
    last += 1;
    counter = 0;
  }
  const time = last.toString(16).padStart(12, '0');
  const random = randomBytes(8);
  random[0] = (random[0]! & 0x3f) | 0x80;
  const tail = random.toString('hex');
  const head = `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}`;
  return `${head}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

let last = 0;
let counter = 0;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether this can be an id of ours: everything else names nothing, and the database need not be asked. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
