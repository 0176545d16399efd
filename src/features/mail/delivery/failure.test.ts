import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR, MINUTE } from '../../../lib/time.ts';
import { describeFailure, retryDelay, toLastError } from './failure.ts';

/** An error of nodemailer with the reply of a server. */
const reply = (command: string, response: string) =>
  Object.assign(new Error(`failed: ${response}`), {
    command,
    response,
    responseCode: Number(response.slice(0, 3)),
  });

describe('describeFailure', () => {
  test('describeFailure returns that a rejected recipient or message is permanent, in a reason without an address', () => {
    for (const command of ['RCPT TO', 'DATA']) {
      const failure = describeFailure(reply(command, '550 5.1.1 <ada@example.com>: unknown'));
      const reason = `${command} 550 5.1.1`;
      assert.deepEqual(failure, { reason, isPermanent: true, concernsServer: false, isCertain: true });
    }
  });

  for (const [command, response] of [
    ['RCPT TO', '450 4.2.0 greylisted'],
    ['RCPT TO', '554 5.7.1 relay access denied'],
    ['DATA', '503 bad sequence'],
  ] as const) {
    test(`describeFailure returns that ${command}: ${response} is temporary, for this message alone`, () => {
      const { isPermanent, concernsServer } = describeFailure(reply(command, response));
      assert.deepEqual([isPermanent, concernsServer], [false, false]);
    });
  }

  for (const [command, response] of [
    ['MAIL FROM', '550 5.1.8 sender rejected'],
    ['AUTH PLAIN', '535 5.7.8 wrong password'],
    ['RCPT TO', '421 4.3.2 shutting down'],
    ['CONN', '554 no service'],
  ] as const) {
    test(`describeFailure returns that ${command}: ${response} is temporary, for all messages`, () => {
      const { isPermanent, concernsServer, isCertain } = describeFailure(reply(command, response));
      assert.deepEqual([isPermanent, concernsServer, isCertain], [false, true, true]);
    });
  }

  test('describeFailure is certain that a message was not received only if the connection was lost before it', () => {
    const isCertain = (members: object) =>
      describeFailure(Object.assign(new Error('lost'), members)).isCertain;
    assert.ok(isCertain({ code: 'ESOCKET', syscall: 'connect' }));
    assert.ok(isCertain({ code: 'EDNS' }));
    assert.ok(isCertain({ code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' }));
    assert.ok(!isCertain({ code: 'ETIMEDOUT', timeoutType: 'SOCKET_TIMEOUT' }));
    assert.ok(!isCertain({ code: 'ECONNECTION' }));
    assert.ok(!isCertain({ code: 'EABORT' }));
  });

  test('describeFailure accepts any thrown value', () => {
    for (const thrown of [undefined, null, 'text', 7]) {
      const { reason, isPermanent } = describeFailure(thrown);
      assert.deepEqual([reason, isPermanent], [String(thrown), false]);
    }
  });
});

describe('toLastError', () => {
  test('toLastError returns the stage and the codes, and no text of the server about the recipient', () => {
    assert.equal(
      toLastError(reply('RCPT TO', '450 4.2.0 <ada@example.com>: greylisted')),
      'RCPT TO 450 4.2.0',
    );
    const garbage = Object.assign(new Error('Data command failed: ada@example.com'), {
      code: 'EENVELOPE',
      command: 'DATA',
      response: 'ada@example.com',
    });
    assert.equal(toLastError(garbage), 'DATA EENVELOPE');
  });

  test('toLastError returns the text of the server about the session or the sender, at most 200 characters', () => {
    const text = '501 Syntactically invalid EHLO argument(s)';
    assert.equal(toLastError(reply('EHLO', text)), `EHLO ${text}`);
    assert.equal(toLastError(reply('MAIL FROM', '501-first\r\n501 last')), 'MAIL FROM 501-first 501 last');
    assert.equal(toLastError(reply('EHLO', `501 ${'x'.repeat(300)}`)).length, 200);
    assert.equal(toLastError(reply('RCPT TO', '421 4.7.0 <ada@example.com>')), 'RCPT TO 421 4.7.0');
  });

  test('toLastError returns a system error with its host, at most 200 characters', () => {
    const failure = (message: string) => Object.assign(new Error(message), { syscall: 'connect' });
    assert.equal(toLastError(failure('connect ECONNREFUSED ::1:25')), 'connect ECONNREFUSED ::1:25');
    assert.equal(toLastError(failure('x'.repeat(300))).length, 200);
  });

  test('toLastError accepts any thrown value', () => {
    for (const thrown of [undefined, null, 'text', 7, new Error('with ada@example.com')])
      assert.equal(toLastError(thrown), 'unknown error');
  });
});

describe('retryDelay', () => {
  test('retryDelay doubles from one minute to one hour', () => {
    const minutes = Array.from({ length: 9 }, (_, index) => retryDelay(index + 1, 0.5) / MINUTE);
    assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60]);
    assert.equal(retryDelay(5_000, 0.5), HOUR);
  });

  test('retryDelay varies by a fifth', () => {
    assert.equal(retryDelay(1, 0), 0.8 * MINUTE);
    assert.equal(retryDelay(1, 1), 1.2 * MINUTE);
  });
});
