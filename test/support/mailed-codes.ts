/** Codes from the mail, for tests. */
import assert from 'node:assert/strict';
import { createMailCodes } from '../../src/features/mail/mail-codes.ts';
import { fromIp } from './limits.ts';
import { waitingMail } from './processes/recovery.ts';
import type { TestService } from './service.ts';

const SECRET_KEY = 'secret-key-of-the-tests-of-mailed-codes';
const getMailCode = createMailCodes(SECRET_KEY);

/** Settings of services whose codes `readMailedCodes` can read. */
export const WITH_CODES = { SECRET_KEY, EMAIL_CODE_SIGN_IN: 'on' };

const CODES_PATH = '/api/v1/login/codes';

/** Returns the codes that were mailed to an address, oldest first. */
export async function readMailedCodes(service: TestService, email: string): Promise<string[]> {
  const mails = (await waitingMail(service, email)).filter(({ kind }) => kind === 'sign_in_code');
  return mails.map(({ data }) => getMailCode(JSON.parse(data).code_id));
}

/** Requests a code, and returns the challenge. */
export async function requestCode({ api }: TestService, email: string, clientIp = '127.0.0.1') {
  const { status, text, body } = await api.post(CODES_PATH, { email }, fromIp(clientIp));
  assert.equal(status, 202, text);
  return body.challenge as string;
}

export const sendCode = (
  { api }: TestService,
  challenge: string,
  { code, clientIp = '127.0.0.1' }: { readonly code: string; readonly clientIp?: string },
) => api.post(`${CODES_PATH}/verify`, { challenge, code }, fromIp(clientIp));

/** Requests a code, and returns it with its challenge. */
export async function requestMailedCode(service: TestService, email: string, clientIp = '127.0.0.1') {
  const challenge = await requestCode(service, email, clientIp);
  return { challenge, code: (await readMailedCodes(service, email)).at(-1)! };
}

/** Returns a code that is not this one. */
export const toWrongCode = (code: string) => code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
