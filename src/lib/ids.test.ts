import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isId, newId } from './ids.ts';

/** Later than any time at which another test of this process makes ids. */
const FUTURE = Date.UTC(2100, 0, 1);
const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

describe('ids', () => {
  test('an id is a UUID of version 7 and variant 10 that begins with its time', () => {
    for (let round = 0; round < 100; round++) {
      const now = FUTURE + round;
      const id = newId(now);
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      assert.equal(timeOf(id), now);
      assert.equal(isId(id), true);
    }
  });

  test('without a time it is the present one', () => {
    const first = newId();
    assert.ok(timeOf(first) >= Date.now() - 1_000);
  });

  test('ids made inside one millisecond, more than its counter holds, stay in order and differ', () => {
    const now = FUTURE + 10_000;
    const ids = Array.from({ length: 10_000 }, () => newId(now));
    assert.ok(ids.every((id, index) => index === 0 || id > ids[index - 1]!));
  });

  test('ids stay in order whichever way the clock is set', () => {
    const moment = fc.integer({ min: FUTURE, max: FUTURE + 50_000 });
    fc.assert(
      fc.property(fc.array(moment, { minLength: 2, maxLength: 50 }), (moments) => {
        const ids = moments.map((now) => newId(now));
        assert.ok(ids.every((id, index) => index === 0 || id > ids[index - 1]!));
      }),
    );
  });

  test('only the lower-case form with nothing around it can be an id', () => {
    const id = newId();
    const wrong = ['', id.toUpperCase(), `${id}\n`, ` ${id}`, id.replaceAll('-', ''), `{${id}}`, id.slice(1)];
    for (const text of [...wrong, `urn:uuid:${id}`, `${id.slice(0, -1)}g`, `${id}\u0000`]) {
      assert.equal(isId(text), false, JSON.stringify(text));
    }
  });

  test('any UUID can be an id, no other text can', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => isId(uuid)));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isId(text)));
  });
});
