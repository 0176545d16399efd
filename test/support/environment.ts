/** What services under test are started with, without the service: programs that start it load it themselves. */
import type { TestDatabase } from './runner/engines.ts';

export const ADMIN_TOKEN = 'administrator-credential-of-the-tests';
/** A request of the administrator. */
export const admin = { token: ADMIN_TOKEN };
/** One that changes a record, whatever its version. */
export const editor = { ...admin, headers: { 'if-match': '*' } };

/** Returns the environment of a service under test, also of one in a separate process. */
export function toEnvironment(
  { url, directory }: TestDatabase,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PORT: '0',
    DATA_DIR: directory,
    ...(url === null ? {} : { DATABASE_URL: url }),
    ADMIN_TOKEN,
    // All requests of a suite come from one client, and most suites test something else.
    RATE_LIMITS: 'off',
    // On a busy machine the suite itself delays the event loop.
    LOAD_SHEDDING_MS: 'off',
    // It also leaves little time to threads of low priority.
    PASSWORD_MAX_WAIT_MS: '60000',
    ...more,
  };
}

let users = 0;

/** Returns the data of a new user with a unique email. */
export function newUserData() {
  users++;
  const email = `user-${users}-${process.pid}@example.com`;
  return { name: `User ${users}`, email, password: 'correct horse battery' };
}
