import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { explainError } from './text.ts';

describe('failures of messages in words', () => {
  test('an error of a connection or a reply of a mail server is explained in a sentence', () => {
    for (const [error, part] of [
      ['connect ECONNREFUSED 127.0.0.1:25', 'refused the connection'],
      ['queryA EDNS', 'name of the mail server'],
      ['AUTH PLAIN 535 5.7.8', 'rejected the sign-in'],
      ['RCPT TO 554 5.7.1', 'by a policy'],
      ['EAUTH', 'rejected the sign-in'],
      ['RCPT TO 550 5.1.1', 'no such mailbox'],
      ['RCPT TO 452 4.2.2', 'mailbox is full'],
      ['RCPT TO 451 4.7.1', 'try again later'],
      ['DATA 421', 'closing connections'],
      ['MAIL FROM 553', 'check MAIL_FROM'],
      ['RCPT TO 550', 'accept the recipient'],
      ['DATA 554', 'accept the message'],
      ['DATA 452', 'at present'],
      ['something else', 'The attempt has failed.'],
    ] as const)
      assert.ok(explainError(error).includes(part), `${error}: ${explainError(error)}`);
  });
});
