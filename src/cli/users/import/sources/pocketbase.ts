/** PocketBase: records of an auth collection, from `data.db` or as JSON. */
import { isTrue, readText, type Source } from './source.ts';

export const pocketbase: Source = {
  list: null,
  table: 'users',
  members: ['email', 'name', 'verified', 'password', 'passwordHash', 'created'],
  toEntry: (user) => ({
    email: user.email,
    name: user.name,
    // The column was renamed in version 0.23.
    passwordHash: readText(user, 'passwordHash') ?? readText(user, 'password'),
    isDisabled: false,
    verified: isTrue(user, 'verified'),
    createdAt: user.created,
  }),
};
