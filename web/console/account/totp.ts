/** Requests about the second factor of the own credential. */
import { request } from '../session.ts';

export const TOTP_PATH = '/console/totp';

export interface TotpState {
  /** Null: it is off. */
  readonly enabled_at: string | null;
  readonly recovery_codes_left: number;
}

export interface Enrolment {
  /** In base32. */
  readonly secret: string;
  /** The same for apps. */
  readonly uri: string;
}

interface RecoveryCodes {
  readonly recovery_codes: readonly string[];
}

/** Creates a new secret, which a code has to confirm. @throws ApiError */
export async function beginEnrolment(): Promise<Enrolment> {
  return (await request<{ data: Enrolment }>(`${TOTP_PATH}/secret`, { method: 'POST' })).body.data;
}

/** Returns the recovery codes. @throws ApiError */
export function confirmEnrolment(code: string): Promise<readonly string[]> {
  return sendCode(TOTP_PATH, code);
}

/** Returns the new recovery codes. @throws ApiError */
export function renewRecoveryCodes(code: string): Promise<readonly string[]> {
  return sendCode(`${TOTP_PATH}/recovery-codes`, code);
}

async function sendCode(path: string, code: string): Promise<readonly string[]> {
  const { body } = await request<{ data: RecoveryCodes }>(path, { method: 'POST', body: { code } });
  return body.data.recovery_codes;
}

/** @throws ApiError */
export async function switchOff(code: string): Promise<void> {
  await request(TOTP_PATH, { method: 'DELETE', body: { code } });
}

/** Returns the text in groups of four characters. */
export function inGroups(text: string): string {
  return text.replace(/.{4}(?=.)/g, '$& ');
}
