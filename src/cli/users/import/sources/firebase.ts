/** Firebase Authentication: the JSON of `firebase auth:export`, and the password hash parameters of the project. */
import { RejectedEntry } from '../../../../features/users/read-entry.ts';
import { CommandError } from '../../../context.ts';
import type { RawRecord } from '../read-records.ts';
import { type HashConfig, isTrue, readMetadata, readTextMember, type Source } from './source.ts';

/** Base64 of REDACTED: whoever made the export may not see the hashes. */
const REDACTED = 'UkVEQUNURUQ=';

export const firebase: Source = {
  list: 'users',
  members: [
    ...['email', 'displayName', 'emailVerified', 'disabled'],
    ...['createdAt', 'passwordHash', 'salt', 'customAttributes'],
  ],
  toEntry: (user, { hashConfig }) => ({
    email: user.email,
    name: user.displayName,
    passwordHash: toHash(user, hashConfig),
    isDisabled: isTrue(user, 'disabled'),
    verified: isTrue(user, 'emailVerified'),
    createdAt: user.createdAt,
    // Only the administrator of the project can write claims.
    appMetadata: readMetadata(user, 'customAttributes'),
  }),
};

function toHash(user: RawRecord, config: HashConfig | null): string | undefined {
  const hash = readTextMember(user, 'passwordHash');
  if (hash === undefined) return undefined;
  if (hash === REDACTED)
    throw new RejectedEntry('The export does not contain the hash: whoever made it lacks the permission.');
  if (config === null) throw new RejectedEntry('The hash of the password needs --hash-config.');
  const { memCost, rounds, saltSeparator, signerKey } = config;
  const project = `v=1,n=${memCost},r=${rounds},p=1,ss=${saltSeparator},sk=${signerKey}`;
  return `$fbscrypt$${project}$${toStandard(readTextMember(user, 'salt') ?? '')}$${toStandard(hash)}`;
}

/** The API writes Base64 for URLs, the command the standard one. */
const toStandard = (base64: string): string => base64.replaceAll('-', '+').replaceAll('_', '/');

/** Reads the parameters as the Firebase console shows them, or as JSON with the same names. @throws CommandError */
export function parseHashConfig(text: string): HashConfig {
  const read = (name: string, pattern: string) => {
    const value = new RegExp(String.raw`\b${name}"?\s*[:=]\s*"?(${pattern})(?![\w+/=-])`).exec(text)?.[1];
    if (value === undefined) throw new CommandError(`the hash config has no valid ${name}`);
    return value;
  };
  if (!/^SCRYPT$/.test(read('algorithm', String.raw`\w+`)))
    throw new CommandError('the algorithm of the hash config is not SCRYPT');
  return {
    signerKey: toStandard(read('base64_signer_key', '[A-Za-z0-9+/_-]+=*')),
    saltSeparator: toStandard(read('base64_salt_separator', '[A-Za-z0-9+/_-]*=*')),
    rounds: read('rounds', String.raw`\d+`),
    memCost: read('mem_cost', String.raw`\d+`),
  };
}
