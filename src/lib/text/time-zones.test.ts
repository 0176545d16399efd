import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isTimeZone } from './locale.ts';
import { listTimeZones, toCurrentZone } from './time-zones.ts';

const resolve = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;

describe('time zones', () => {
  test('every zone of the engine is listed once, by a name that the API accepts and that means the same zone', () => {
    const zones = listTimeZones();
    const known = Intl.supportedValuesOf('timeZone');
    assert.deepEqual([zones.length, new Set(zones).size], [known.length, known.length]);
    for (const zone of zones) assert.ok(isTimeZone(zone), zone);
    for (const zone of known) assert.equal(resolve(toCurrentZone(zone)), resolve(zone));
  });

  test('zones that were renamed are listed by their names of today', () => {
    const zones = listTimeZones();
    for (const zone of ['Asia/Kathmandu', 'Asia/Kolkata', 'Asia/Ho_Chi_Minh', 'Europe/Kyiv', 'America/Nuuk'])
      assert.ok(zones.includes(zone), zone);
  });
});
