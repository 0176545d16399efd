/** Password hashing for the time of one command. */
import type { Config } from '../../config.ts';
import { PREFIX } from '../../lib/passwords/password-parameters.ts';
import { createPasswords, type Passwords } from '../../lib/passwords/passwords.ts';

/** A command waits without a limit, because it is the only user of its queue. */
const MAX_WAIT_MS = 3_600_000;
/** More passwords than a command hashes at once. */
const PLACES = 10_000;

/** Runs `work` with the hashing threads of the settings, which start with the first password. */
export async function withPasswords<T>(
  { passwordThreads, passwordPepper }: Config,
  work: (passwords: Passwords) => Promise<T>,
): Promise<T> {
  const passwords = createPasswords({
    threads: passwordThreads,
    queueLimit: PLACES,
    maxWaitMs: MAX_WAIT_MS,
    oldestPrefix: () => PREFIX,
    pepper: passwordPepper,
  });
  try {
    return await work(passwords);
  } finally {
    await passwords.close();
  }
}
