import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createTexts } from '../../texts/texts.ts';
import { renderMail } from './render-mail.ts';

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
