/** People for tests: through the API where the way in is the subject, straight into the database where it is not. */
import assert from 'node:assert/strict';
import type { Database } from '../../src/database/database.ts';
import { issueToken } from '../../src/features/tokens/issue-token.ts';
import { insertToken } from '../../src/features/tokens/queries.ts';
import { insertUser, type NewUser } from '../../src/features/users/queries.ts';
import { DAY } from '../../src/lib/clock.ts';
import { normalizeEmail } from '../../src/lib/email-address.ts';
import { newId } from '../../src/lib/ids.ts';
import { hashToken, newToken } from '../../src/lib/tokens.ts';
import { ADMIN_TOKEN, newPerson, type TestService } from './service.ts';

/** Registers somebody: the price is one password hash. */
export async function register({ api }: TestService, person = newPerson()) {
  const { status, headers, body } = await api.post('/api/register', person);
  assert.equal(status, 201);
  const id = headers.get('location')!.replace('/api/v1/users/', '');
  return { ...person, id, token: body.access_token as string };
}

/** An unclaimed record that the administrator made, as the API shows it. */
export async function createRecord({ api }: TestService, input: object = {}) {
  const { name, email } = newPerson();
  const answer = await api.post('/api/v1/users', { name, email, ...input }, { token: ADMIN_TOKEN });
  assert.equal(answer.status, 201);
  return answer.body.data;
}

/** A record put into the database: active, with an address of its own and without a password. */
export async function insertTestUser(database: Database, changes: Partial<NewUser> = {}) {
  const { name, email } = newPerson();
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
  assert.equal(await database.transaction((tx) => insertUser(tx, user)), true);
  return user;
}

/** An active user with a token, who has never paid for a password hash. */
export async function insertLoggedInUser(database: Database, now = Date.now()) {
  const user = await insertTestUser(database, { createdAt: now });
  const { accessToken } = await database.transaction((tx) =>
    issueToken(tx, { userId: user.id, now, lifetimeSeconds: 30 * 86_400 }),
  );
  return { ...user, token: accessToken };
}

/** A token with scopes and an end of the test's choice; gives it with its id and hash. */
export async function insertTestToken(
  database: Database,
  userId: string,
  { scopes = 'self:read', expiresAt = Date.now() + DAY }: { scopes?: string; expiresAt?: number } = {},
) {
  const createdAt = Date.now();
  const token = newToken();
  const id = newId();
  const hash = hashToken(token);
  const row = { hash, id, userId, name: 'auth_token', scopes };
  await database.transaction((tx) =>
    insertToken(tx, { ...row, created_at: createdAt, expires_at: expiresAt }),
  );
  return { token, id, hash };
}
