/** Auth0: the bulk export of users as NDJSON, and the export of password hashes that its support makes. */
import { RejectedEntry } from '../../../../features/users/read-entry.ts';
import { isObject, type RawRecord } from '../read-records.ts';
import { isTrue, readMetadata, readTextMember, type Source } from './source.ts';

export const auth0: Source = {
  list: null,
  members: [
    ...['user_id', '_id', 'alt_id', 'email', 'email_verified', 'name', 'given_name'],
    ...['family_name', 'created_at', 'blocked', 'passwordHash', 'user_metadata', 'app_metadata'],
  ],
  toEntry(user, { takeHash, hasHashFor }) {
    const email = readTextMember(user, 'email');
    const id = readTextMember(user, 'user_id');
    const hash = readTextMember(user, 'passwordHash') ?? (id === undefined ? undefined : takeHash(id));
    if (hash === undefined && email !== undefined && hasHashFor(email))
      throw new RejectedEntry('Another user with this email has a password, and is imported instead.');
    return {
      email,
      name: readName(user, email),
      passwordHash: hash,
      isDisabled: isTrue(user, 'blocked'),
      verified: isTrue(user, 'email_verified'),
      createdAt: user.created_at,
      userMetadata: readMetadata(user, 'user_metadata'),
      appMetadata: readMetadata(user, 'app_metadata'),
    };
  },
  readHash(record) {
    const { _id: id, alt_id: alternative, passwordHash: hash, email } = record;
    const oid = isObject(id) ? id.$oid : undefined;
    const key = alternative ?? oid;
    if (typeof key !== 'string') return undefined;
    if (typeof hash !== 'string' || hash === '') return null;
    return { key: `auth0|${key}`, email: typeof email === 'string' ? email : null, hash };
  },
};

/** The name of a user who has given none is the email. */
function readName(user: RawRecord, email: string | undefined): string | undefined {
  const name = readTextMember(user, 'name');
  if (name !== undefined && name !== email) return name;
  const parts = [readTextMember(user, 'given_name'), readTextMember(user, 'family_name')];
  return parts.filter((each) => each !== undefined).join(' ');
}
