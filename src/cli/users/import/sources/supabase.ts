/** Supabase: rows of the table `auth.users`, as CSV or JSON. */
import { RejectedEntry } from '../../../../features/users/read-entry.ts';
import { parseTime } from '../../../../lib/time.ts';
import { isObject, type RawRecord } from '../read-records.ts';
import { isFilled, parseJson, readMetadata, readTextMember, type Source } from './source.ts';

/** Members that Supabase itself writes: copies of the user and of the identity provider. */
const USER_COPIES = ['sub', 'email', 'email_verified', 'phone_verified'];
const APP_COPIES = ['provider', 'providers'];

export const supabase: Source = {
  list: null,
  members: [
    ...['email', 'raw_user_meta_data', 'raw_app_meta_data', 'encrypted_password', 'email_confirmed_at'],
    ...['confirmed_at', 'created_at', 'banned_until', 'deleted_at'],
  ],
  toEntry(user, { now }) {
    if (readTextMember(user, 'deleted_at') !== undefined) throw new RejectedEntry('The user is deleted.');
    const { full_name: fullName, name = fullName, ...others } = readObject(user.raw_user_meta_data);
    return {
      email: user.email,
      name: isFilled(fullName) ? fullName : name,
      passwordHash: readTextMember(user, 'encrypted_password'),
      isDisabled: isBanned(readTextMember(user, 'banned_until'), now),
      verified: user.email_confirmed_at,
      createdAt: user.created_at,
      userMetadata: readMetadata({ raw_user_meta_data: others }, 'raw_user_meta_data', USER_COPIES),
      appMetadata: readMetadata(user, 'raw_app_meta_data', APP_COPIES),
    };
  },
};

/** PostgreSQL writes a ban without end as infinity. */
function isBanned(until: string | undefined, now: number): boolean {
  if (until === undefined || until === '-infinity') return false;
  if (until === 'infinity') return true;
  const time = parseTime(until);
  if (time === null) throw new RejectedEntry('banned_until must be a time.');
  return time > now;
}

/** CSV has it as text. */
function readObject(value: unknown): RawRecord {
  const metadata = parseJson(value);
  if (metadata === null) return {};
  if (isObject(metadata)) return metadata;
  throw new RejectedEntry('raw_user_meta_data must be a JSON object.');
}
