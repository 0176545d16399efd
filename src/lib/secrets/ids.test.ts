import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/arbitrary-text.ts';
import { isId, newId } from './ids.ts';

const getTime = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

function assertOrdered(ids: readonly string[]): void {
  assert.ok(ids.every((id, index) => index === 0 || id > ids[index - 1]!));
}

describe('ids', () => {
  test('ids are UUIDs of version 7 and variant 10 that begin with the current time', () => {
    const before = Date.now();
    const id = newId();
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok(getTime(id) >= before && getTime(id) <= Date.now());
    assert.equal(isId(id), true);
  });

  test('ids are ordered by call, also within one millisecond', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    assert.ok(new Set(ids.map(getTime)).size < ids.length, 'some are of the same millisecond');
    assertOrdered(ids);
  });

  test('ids stay ordered when the clock is set back', (context) => {
    const first = newId();
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 });
    assertOrdered([first, newId(), newId()]);
  });

  test('ids are recognised only in lower case and without text around them', () => {
    const id = newId();
    const wrong = ['', id.toUpperCase(), `${id}\n`, ` ${id}`, id.replaceAll('-', ''), `{${id}}`, id.slice(1)];
    for (const text of [...wrong, `urn:uuid:${id}`, `${id.slice(0, -1)}g`, `${id}\u0000`]) {
      assert.equal(isId(text), false, JSON.stringify(text));
    }
  });

  test('ids are recognised if and only if they are UUIDs', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => isId(uuid)));
    fc.assert(fc.property(anyText(), (text) => !isId(text)));
  });
});
