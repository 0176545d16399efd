/** Dependencies of registration, login, the own account and the administration of users. */
import type { DatabaseDeps } from '../../../database/database.ts';
import type { AllowRedirect } from '../../../lib/outbound/redirect-policy.ts';
import type { Passwords } from '../../../lib/passwords/passwords.ts';
import type { ActivityRecorder } from '../../activity/recorder.ts';
import type { GetMailCode } from '../../mail/mail-codes.ts';
import type { MailSettings } from '../../mail/settings.ts';
import type { GateDeps } from './gate.ts';
import type { LimitedLogins, LoginGuard } from './login-guard.ts';
import type { PasswordPolicy } from './password-policy.ts';
import type { RelyingParty } from './relying-party.ts';

export interface AccountDeps extends DatabaseDeps, GateDeps {
  readonly passwords: Passwords;
  readonly passwordPolicy: PasswordPolicy;
  readonly activity: ActivityRecorder;
  readonly loginGuard: LoginGuard;
  readonly limitedLogins: LimitedLogins;
  readonly mail: MailSettings;
  readonly getMailCode: GetMailCode;
  /** Returns the challenge of a sign-in by a mailed code, from its id. */
  readonly getCodeChallenge: (id: string) => string;
  /** Null where no browser has passkeys. */
  readonly relyingParty: RelyingParty | null;
  /** Returns a keyed hash, the id of a passkey that does not exist. */
  readonly getPasskeyDecoy: (text: string) => string;
  readonly allowRedirect: AllowRedirect;
  /** Milliseconds after which the rest of an erasure goes on in the background; null to wait for its end. */
  readonly maxErasureWaitMs: number | null;
}
