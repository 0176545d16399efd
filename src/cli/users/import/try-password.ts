/** What an import cannot read off the hashes, and the trial of one known password (`--try`). */
import { createInterface } from 'node:readline/promises';
import type { Readable } from 'node:stream';
import type { ImportEntry } from '../../../features/users/read-entry.ts';
import type { PrehashName } from '../../../lib/passwords/foreign/prehash.ts';
import { type GivenPrehash, toStoredHash, verifyHash } from '../../../lib/passwords/foreign-hashes.ts';
import { normalizeEmail } from '../../../lib/text/normalize.ts';
import { type CommandContext, CommandError, readTextFile } from '../../context.ts';

/** Reads what the other service has hashed in place of the passwords. @throws CommandError */
export function readPrehash(options: {
  readonly pepper?: string;
  readonly hmacKey?: string;
  readonly prehash?: PrehashName;
}): GivenPrehash | null {
  const { pepper, hmacKey, prehash: name } = options;
  if (pepper !== undefined) return { name: 'suffix', argument: readKey(pepper) };
  if (hmacKey !== undefined) return { name: 'hmac-sha512', argument: readKey(hmacKey) };
  return name === undefined ? null : { name, argument: '' };
}

/** Returns the text of a file without the line break at its end. */
function readKey(file: string): string {
  const key = readTextFile(file).replace(/\r?\n$/, '');
  if (key === '') throw new CommandError(`${file} is empty`);
  return key;
}

/** Reads the password from standard input. */
export async function openTrial(email: string, { stdin, stderr }: Pick<CommandContext, 'stdin' | 'stderr'>) {
  const isTerminal = stderr.isTTY === true;
  if (isTerminal) stderr.write(`Password of ${email}: `);
  const password = await readLine(stdin, isTerminal);
  if (isTerminal) stderr.write('\n');
  let outcome = { matches: false, text: 'not among the users of the files' };
  return {
    onEntry(entry: ImportEntry) {
      if (normalizeEmail(entry.email) === normalizeEmail(email)) outcome = tryPassword(entry, password);
    },
    matches: () => outcome.matches,
    describe: () => `${email}: ${outcome.text}`,
  };
}

/** Returns the first line. Without an output, a terminal does not show what is typed. */
async function readLine(input: Readable, isTerminal: boolean): Promise<string> {
  const lines = createInterface({ input, terminal: isTerminal });
  for await (const line of lines) return line;
  return '';
}

/** Tries the hash as it is read, and then other readings of hashes that look plain. */
function tryPassword({ passwordHash }: ImportEntry, password: string) {
  if (passwordHash === null) return { matches: false, text: 'has no hash' };
  const verify = (stored: string) => verifyHash(stored, password, () => false);
  const reading = verify(passwordHash);
  const readAs = reading === true ? '' : `, read as ${reading}`;
  if (reading !== false) return { matches: true, text: `the hash matches the password${readAs}` };
  const other = toStoredHash({ hash: passwordHash, prehash: { name: 'sha256-hex', argument: '' } });
  const text =
    other !== passwordHash && verify(other) !== false
      ? 'the hash matches the password with --prehash sha256-hex'
      : 'the hash does not match the password: the service may use a pepper (--pepper, --hmac-key)';
  return { matches: false, text };
}
