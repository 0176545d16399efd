import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertRejected } from '../../test/support/settings.ts';
import { ConfigError, readConfig } from '../config.ts';

const PASSWORD = 'the-password-of-the-mail-account';
const FROM = 'Example <accounts@example.org>';
const REST = { MAIL_FROM: FROM, PUBLIC_URL: 'https://id.example.org' };

const readServer = (SMTP_URL: string) => readConfig({ ...REST, SMTP_URL }).mail.smtp?.server;

describe('mail settings', () => {
  test('mail settings are all optional', () => {
    assert.deepEqual(readConfig({}).mail, { smtp: null, senderName: '', toLog: false });
  });

  test('mail settings contain host, port and credentials of SMTP_URL, percent-decoded', () => {
    assert.deepEqual(readServer(`smtps://us%40er:p%3A%2Fss@mail.example.com:2465`), {
      host: 'mail.example.com',
      port: 2465,
      isSecure: true,
      startTls: 'required',
      credentials: { user: 'us@er', pass: 'p:/ss' },
    });
    assert.equal(readServer('smtp://[::1]:25/')?.host, '::1');
    assert.equal(readServer('smtp://mail')?.port, null);
  });

  test('mail settings require STARTTLS where a password would otherwise be sent in clear to another machine', () => {
    const startTls = (url: string) => readServer(url)?.startTls;
    assert.equal(startTls('smtp://user:pass@mail.example.com'), 'required');
    assert.equal(startTls('smtp://user:pass@127.0.0.1'), 'offered');
    assert.equal(startTls('smtp://mail.example.com'), 'offered');
    assert.equal(startTls('smtp://mail.example.com?tls=required'), 'required');
    assert.equal(startTls('smtp://user:pass@mail.example.com?tls=off'), 'off');
  });

  for (const wrong of [
    `http://user:${PASSWORD}@mail.example.com`,
    `smtp://user:${PASSWORD}@`,
    `smtp://user:${PASSWORD}@mail.example.com/path`,
    `smtp://user:${PASSWORD}@mail.example.com:0`,
    `smtp://user:${PASSWORD}@mail.example.com:70000`,
    `smtp://user:${PASSWORD}@mail.example.com?tls=maybe`,
    `smtp://user:${PASSWORD}@mail.example.com?tls.rejectUnauthorized=false`,
    `smtps://user:${PASSWORD}@mail.example.com?tls=off`,
    `smtp://user:${PASSWORD}%zz@mail.example.com`,
    `smtp://:${PASSWORD}@mail.example.com`,
    `smtp://${PASSWORD}@mail.example.com`,
    `smtp:${PASSWORD}`,
    PASSWORD,
  ]) {
    test(`mail settings reject SMTP_URL=${wrong} without repeating it`, () => {
      assert.ok(!assertRejected('SMTP_URL', wrong).includes(PASSWORD));
    });
  }

  test('mail settings require MAIL_FROM and PUBLIC_URL with SMTP_URL', () => {
    for (const name of ['MAIL_FROM', 'PUBLIC_URL'] as const) {
      assert.throws(
        () => readConfig({ ...REST, SMTP_URL: 'smtp://mail.example.com', [name]: '' }),
        (error) =>
          error instanceof ConfigError && error.message.startsWith(`${name} is required with SMTP_URL`),
      );
    }
  });

  test('mail settings accept MAIL_FROM with and without a name', () => {
    const from = (MAIL_FROM: string) =>
      readConfig({ ...REST, MAIL_FROM, SMTP_URL: 'smtp://mail.example.com' }).mail.smtp?.from;
    assert.deepEqual(from(FROM), { name: 'Example', address: 'accounts@example.org' });
    assert.deepEqual(from('"Müller, Inc." <a@b.example>'), { name: 'Müller, Inc.', address: 'a@b.example' });
    assert.deepEqual(from('a@b.example'), { name: '', address: 'a@b.example' });
    assert.deepEqual(from('<a@b.example>'), { name: '', address: 'a@b.example' });
  });

  for (const wrong of ['Example', 'a@b, c@d', 'A <a@b> <c@d>', 'A\r\nBcc: x@y <a@b>', 'A <a@b\r\n>', '<>']) {
    test(`mail settings reject MAIL_FROM=${JSON.stringify(wrong)}`, () => {
      assertRejected('MAIL_FROM', wrong);
    });
  }
});
