/** What an import cannot read off the hashes, and the trial of one known password (`--try`). */
import { createInterface } from 'node:readline/promises';
import type { EntryOptions, ImportEntry } from '../../../features/users/import-users/read-entry.ts';
import { readText } from '../../../lib/files/read-text.ts';
import type { PrehashName } from '../../../lib/passwords/foreign/prehash.ts';
import { type GivenPrehash, toStoredHash, verifyHash } from '../../../lib/passwords/foreign-hashes.ts';
import { normalizeEmail } from '../../../lib/text/email-address.ts';
import type { CommandContext } from '../../context.ts';
import { CommandError } from '../../output.ts';

interface PrehashOptions {
  readonly pepper?: string;
  readonly hmacKey?: string;
  readonly prehash?: PrehashName;
}

/** Reads what the other service has hashed in place of the passwords. @throws CommandError */
export function readPrehash({ pepper, hmacKey, prehash }: PrehashOptions): GivenPrehash | null {
  if (pepper !== undefined) return { name: 'suffix', argument: readKey(pepper) };
  if (hmacKey !== undefined) return { name: 'hmac-sha512', argument: readKey(hmacKey) };
  return prehash === undefined ? null : { name: prehash, argument: '' };
}

/** Returns the text of a file without the line break at its end. */
function readKey(file: string): string {
  let key: string;
  try {
    key = readText(file).replace(/\r?\n$/, '');
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  if (key === '') throw new CommandError(`${file} is empty`);
  return key;
}

/** Reads the password from standard input. Returns null without an email. */
export async function openTrial(
  email: string | undefined,
  { isOwnHash }: Pick<EntryOptions, 'isOwnHash'>,
  { stdin, stderr }: Pick<CommandContext, 'stdin' | 'stderr'>,
) {
  if (email === undefined) return null;
  if (isOwnHash) throw new CommandError('--try is for hashes of other services');
  if (stderr.isTTY === true) stderr.write(`Password of ${email}: `);
  const [password = ''] = await Array.fromAsync(createInterface({ input: stdin, terminal: false }));
  let outcome: { readonly matches: boolean; readonly text: string } | null = null;
  return {
    onEntry(entry: ImportEntry) {
      if (normalizeEmail(entry.email) === normalizeEmail(email)) outcome = tryPassword(entry, password);
    },
    matches: () => outcome?.matches ?? false,
    describe: () => `${email}: ${outcome?.text ?? 'not among the users of the files'}`,
  };
}

/** Tries the hash as it is read, and then other readings of hashes that look plain. */
function tryPassword({ passwordHash }: ImportEntry, password: string) {
  if (passwordHash === null) return { matches: false, text: 'has no hash' };
  const verify = (stored: string) => verifyHash(stored, password, () => false);
  const reading = verify(passwordHash);
  if (reading === true) return { matches: true, text: 'the hash matches the password' };
  if (reading !== false) return { matches: true, text: `the hash matches the password, read as ${reading}` };
  const other = toStoredHash({ hash: passwordHash, prehash: { name: 'sha256-hex', argument: '' } });
  if (other !== passwordHash && verify(other) !== false)
    return { matches: false, text: 'the hash matches the password with --prehash sha256-hex' };
  return {
    matches: false,
    text: 'the hash does not match the password: the service may use a pepper (--pepper, --hmac-key)',
  };
}
