import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskEmail } from './mask-email.ts';

test('maskEmail shows the first characters of an address and the ending of its domain', () => {
  const expected = {
    'www.prize.example/claim?id=1@a.example': 'w…@a.example',
    'ada@acme.example': 'a…@a….example',
    'a@mail.acme.co.uk': 'a…@m….a….c….uk',
    'a@claim.your-prize-today': 'a…@c….y…',
    'root@localhost': 'r…@l…',
    '😀x@a.example': '😀…@a.example',
  };
  for (const [email, masked] of Object.entries(expected)) assert.equal(maskEmail(email), masked);
});
