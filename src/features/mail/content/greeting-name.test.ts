import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGreetingName } from './greeting-name.ts';

describe('toGreetingName', () => {
  for (const name of [
    "Conan O'Brien",
    'J. R. Smith Jr.',
    'Łukasz Żółw-Kowalski',
    '山田太郎',
    'नीरजा',
    'User 1',
    'Ann & Bob',
  ])
    test(`toGreetingName returns ${name}`, () => assert.equal(toGreetingName(` ${name} `), name));

  for (const name of [
    null,
    ' ',
    '<b>',
    'Ann\r\nBcc: x@example.com',
    'Visit evil.example',
    'https://evil.example',
    'You won! Call 0900',
    'x@example.com',
    'A'.repeat(61),
  ])
    test(`toGreetingName returns null for ${JSON.stringify(name)}, which could be read as part of the message`, () =>
      assert.equal(toGreetingName(name), null));
});
