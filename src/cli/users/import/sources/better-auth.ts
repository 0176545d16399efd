/** better-auth: the tables `user` and `account`, whose columns have names with capitals or with underscores. */
import { parseTime } from '../../../../lib/time.ts';
import { isTrue, readTextMember, type Source, toText } from './source.ts';

export const betterAuth: Source = {
  list: null,
  members: [
    ...['id', 'email', 'name', 'emailVerified', 'email_verified'],
    ...['createdAt', 'created_at', 'banned', 'banExpires', 'ban_expires'],
  ],
  toEntry(user, { takeHash, now }) {
    const createdAt = user.createdAt ?? user.created_at;
    const expires = Number(toMilliseconds(user.banExpires ?? user.ban_expires) ?? Number.POSITIVE_INFINITY);
    return {
      email: user.email,
      name: user.name,
      passwordHash: takeHash(toText(user.id)),
      isDisabled: isTrue(user, 'banned') && !(expires <= now),
      verified: isTrue(user, 'emailVerified') || isTrue(user, 'email_verified'),
      createdAt: toMilliseconds(createdAt) ?? createdAt,
    };
  },
  readHash(account) {
    const userId = account.userId ?? account.user_id;
    const provider = account.providerId ?? account.provider_id;
    if (typeof userId !== 'string' && typeof userId !== 'number') return undefined;
    if (typeof provider !== 'string') return undefined;
    const isPassword = provider === 'credential' && typeof account.password === 'string';
    const hash = isPassword ? readTextMember(account, 'password') : undefined;
    return hash === undefined ? null : { key: String(userId), email: null, hash };
  },
};

/** Smaller numbers are seconds, which some adapters of SQLite write: in milliseconds, this is a day of 1973. */
const MIN_MILLISECONDS = 100_000_000_000;

/** Returns epoch milliseconds of a number or a time, without a zone in UTC, or undefined for other values. */
function toMilliseconds(value: unknown): number | undefined {
  const isDigits = typeof value === 'string' && /^\d{1,16}$/.test(value);
  const number = isDigits ? Number(value) : value;
  if (typeof number === 'number') return number < MIN_MILLISECONDS ? number * 1000 : number;
  return typeof number === 'string' ? (parseTime(number) ?? undefined) : undefined;
}
