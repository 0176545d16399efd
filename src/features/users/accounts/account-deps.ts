/** Dependencies of registration, login and the own account. */

import type { Database } from '../../../database/database.ts';
import type { CurrentSettingsSource } from '../../../settings/run-time-settings.ts';
import type { ActivityRecorder } from '../../activity/recorder.ts';
import type { LimitedLogins } from './login/limited-logins.ts';
import type { LoginGuard } from './login/login-guard.ts';
import type { CreateUserDeps } from './registration/create-user.ts';

export interface AccountDeps extends CreateUserDeps {
  readonly database: Database;
  readonly activity: ActivityRecorder;
  readonly loginGuard: LoginGuard;
  readonly limitedLogins: LimitedLogins;
  readonly settings: CurrentSettingsSource;
}
