/** Reads the file in which a product exports password hashes apart from its users. */
import type { TemporaryMap } from '../../../database/sqlite/temporary-map.ts';
import { normalizeEmail } from '../../../lib/text/email-address.ts';
import { CommandError } from '../../output.ts';
import { type InputContext, openInput } from './input-file.ts';
import { readSourceFile } from './source-file.ts';
import type { Source } from './sources/source.ts';

export interface PasswordFile {
  readonly hashes: TemporaryMap;
  /** Keys are the normalized emails of users with a hash. */
  readonly emails: TemporaryMap;
  readonly context: InputContext;
}

/** Reads the whole file before the first user is stored, so that no user is stored without their hash. */
export async function loadHashes(
  source: Source,
  file: string,
  { hashes, emails, context }: PasswordFile,
): Promise<void> {
  if (source.readHash === undefined) return;
  const input = await openInput(file, context);
  try {
    for await (const each of readSourceFile({ list: null }, { file, input: input.stream })) {
      const record = 'members' in each ? source.readHash(each.members) : undefined;
      if (record === undefined)
        throw new CommandError(`${file}: record ${each.line} is not one of a password`);
      if (record === null) continue;
      if (!hashes.add(record.key, record.hash))
        throw new CommandError(`${file}: record ${each.line} is the second password of a user`);
      if (record.email !== null) emails.add(normalizeEmail(record.email), '');
    }
  } finally {
    input.close();
  }
}
