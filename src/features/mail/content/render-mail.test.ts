import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTexts } from '../../texts/texts.ts';
import { maskEmail, renderMail, toGreetingName } from './render-mail.ts';

const content = {
  kind: 'webhook_disabled',
  locale: null,
  language: 'en',
  service: 'Example',
  brandColor: null,
  name: null,
  at: Date.UTC(2026, 0, 5, 9, 30),
  newEmail: null,
  link: null,
} as const;

describe('messages to the operator', () => {
  for (const [reason, text] of [
    ['gone', 'the receiver has responded with 410 (Gone)'],
    ['failing', 'all deliveries have failed for five days'],
  ] as const) {
    test(`the message to the operator names the webhook, the time and the reason ${reason}`, async () => {
      const values = { url: 'https://example.com/a&b', reason };
      const mail = await renderMail(await createTexts(null), { ...content, values });
      assert.equal(mail.subject, 'A webhook of Example was disabled');
      const sentence = `The webhook https://example.com/a&b of Example was disabled on 5 Jan 2026, 09:30 UTC: ${text}.`;
      assert.ok(mail.text.includes(sentence), mail.text);
      assert.ok(mail.html.includes('https://example.com/a&amp;b'), mail.html);
      assert.ok(mail.html.includes(text), mail.html);
    });
  }

  test('the message to the operator names why a backup has failed', async () => {
    const backup = { ...content, kind: 'backup_failed', values: { reason: 'the disk is full' } } as const;
    const mail = await renderMail(await createTexts(null), backup);
    assert.equal(mail.subject, 'A backup of Example failed');
    assert.ok(mail.text.includes('on 5 Jan 2026, 09:30 UTC: the disk is full.'), mail.text);
  });
});

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
