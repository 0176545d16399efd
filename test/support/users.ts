/** Users for tests: created through the API, or inserted into the database where that saves time. */
import assert from 'node:assert/strict';
import { type Database, sql } from '../../src/database/database.ts';
import { issueToken } from '../../src/features/people/tokens/issue-token.ts';
import { insertToken } from '../../src/features/people/tokens/queries.ts';
import { insertUser, type NewUser } from '../../src/features/users/records/new-user-queries.ts';
import { newId } from '../../src/lib/secrets/ids.ts';
import { getFirstCharacters, hashToken, newToken } from '../../src/lib/secrets/tokens.ts';
import { normalizeEmail } from '../../src/lib/text/normalize.ts';
import { DAY } from '../../src/lib/time.ts';
import { admin, newUserData } from './environment.ts';
import type { TestService } from './service.ts';

/** Registers a user, which costs one password hash. */
export async function register({ api }: TestService, user = newUserData()) {
  const { status, headers, body } = await api.post('/api/register', user);
  assert.equal(status, 201);
  const id = headers.get('location')!.split('/').at(-1)!;
  return { ...user, id, token: body.access_token as string };
}

/** Creates an unclaimed user as the administrator, and returns the representation of the API. */
export async function createUnclaimedUser({ api }: TestService, input: object = {}) {
  const { name, email } = newUserData();
  const { status, body } = await api.post('/api/v1/users', { name, email, ...input }, admin);
  assert.equal(status, 201);
  return body.data;
}

/** Inserts an active user with a unique email and without a password. */
export async function insertTestUser(database: Database, changes: Partial<NewUser> = {}) {
  const { name, email } = newUserData();
  const createdAt = changes.createdAt ?? Date.now();
  const user: NewUser = {
    id: newId(),
    name,
    email,
    emailKey: normalizeEmail(changes.email ?? email),
    ownsEmail: true,
    passwordHash: null,
    level: null,
    state: 'active',
    createdAt,
    ...changes,
  };
  assert.ok(await database.transaction((tx) => insertUser(tx, user)));
  return user;
}

const VERIFY = sql('update users set email_verified_at = $2 where id = $1');

/** Makes the email of a user verified, without a new version of the record. */
export function markEmailVerified({ service }: TestService, id: string, now = Date.now()): Promise<unknown> {
  return service.database.transaction((tx) => tx.run(VERIFY, id, now));
}

/** Inserts an active user with a token, without hashing a password. */
export async function insertLoggedInUser(database: Database, now = Date.now()) {
  const user = await insertTestUser(database, { createdAt: now });
  const { accessToken } = await database.transaction((tx) =>
    issueToken(tx, { userId: user.id, now, lifetimeSeconds: 30 * 86_400 }),
  );
  return { ...user, token: accessToken };
}

interface TestTokenOptions {
  readonly scopes?: string;
  readonly createdAt?: number;
  readonly expiresAt?: number;
}

/** Inserts a token with these scopes and expiry. Returns the token, its id and its hash. */
export async function insertTestToken(
  database: Database,
  userId: string,
  { scopes = 'self:read', createdAt = Date.now(), expiresAt = Date.now() + DAY }: TestTokenOptions = {},
) {
  const token = newToken();
  const id = newId();
  const hash = hashToken(token);
  const row = { hash, id, userId, name: 'auth_token', first_characters: getFirstCharacters(token), scopes };
  await database.transaction((tx) =>
    insertToken(tx, { ...row, created_at: createdAt, expires_at: expiresAt }),
  );
  return { token, id, hash };
}
