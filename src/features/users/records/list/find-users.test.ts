import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { describeStorage } from '../../../../../test/support/runner/engines.ts';
import { useService } from '../../../../../test/support/service.ts';
import { insertTestUser } from '../../../../../test/support/users.ts';
import { type Database, sql } from '../../../../database/database.ts';
import { normalizeName } from '../../../../lib/text/normalize.ts';
import { insertGroup, insertMembers } from '../../../groups/queries.ts';
import { NO_FILTER, type UserFilter } from './filter.ts';
import { type Bounds, countUsers, findUsers } from './find-users.ts';
import { parseSearchTerm } from './schemas.ts';
import { type Position, USER_SORTS, type UserSort } from './sorts.ts';

const SET_TIMES = sql('update users set last_login_at = $2, email_verified_at = $3 where id = $1');

const WORDS = ['a', 'ab', 'Ab', 'É', 'größ', 'e\u0301a', ...'😀\uffff\u{10ffff}-Σς가', "o'b"];
const time = fc.integer({ min: 1, max: 6 });
const optional = fc.option(time, { freq: 2 });
const name = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));
const label = fc.stringMatching(/^[ab]{1,2}$/);
const email = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 2 }), fc.array(label, { minLength: 1, maxLength: 3 }))
  .map(([local, domain]) => `${local.join('.')}@${domain.join('.')}`);
const level = fc.option(fc.constantFrom('gold', 'é', ''));
const state = fc.constantFrom('active' as const, 'disabled' as const, 'unclaimed' as const);

const plan = fc.option(fc.constantFrom('pro', 'free', ''));
const sample = fc.record({
  plan,
  name: fc.option(name),
  email: fc.option(email),
  level,
  state,
  time,
  login: optional,
  verified: optional,
});
type Sample = typeof sample extends fc.Arbitrary<infer T> ? T : never;
type Listed = Sample & { readonly id: string; readonly nameKey: string | null; readonly isOdd: boolean };

const term = fc.oneof(
  name,
  email,
  email.map((text) => text.slice(text.indexOf('@'))),
  fc.constantFrom('a', 'b', 'A', '@', '@a', 'e', 'ea', 'gros', 'ross', 'σ', "'b", ' ab', 'b a', 'ᅡ', '가'),
);
/** Most requests have few filters, so that they find users. */
const rarely = <T>(given: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: given });
const range = fc.record({ from: rarely(time), to: rarely(time) });
const filter: fc.Arbitrary<UserFilter> = fc.record({
  state: rarely(state),
  emailKey: rarely(email),
  level: rarely(fc.constantFrom('gold', 'é', '')),
  role: fc.constant(null),
  group: rarely(fc.constantFrom('odd', 'none')),
  isVerified: rarely(fc.boolean()),
  created: range,
  lastLogin: range,
  metadata: rarely(
    fc.constantFrom('pro', 'free', '', 'none').map((value) => ({ member: 'app_metadata.plan', value })),
  ),
  search: fc.option(term.map(parseSearchTerm)),
});
const request = fc.record({
  filter,
  sort: fc.constantFrom(...USER_SORTS),
  limit: fc.constantFrom(1, 3, 7, 100),
  bounds: fc.record({
    maxCandidates: fc.constantFrom(0, 3, 20, 5_000),
    maxRead: fc.constantFrom(1, 10, 5_000),
    firstRead: fc.constantFrom(1, 10, 500),
  }),
});

/** Whether the text contains the term, a short one where a word begins. Written for plain reading, not for an index. */
function contains(text: string | null, key: string): boolean {
  if (text === null) return false;
  const isLetter = (character: string) => /^[\p{L}\p{N}]/u.test(character);
  const isWordCharacter = (character: string) => /[\p{L}\p{N}\p{M}]/u.test(character);
  const isShort = Array.from(key).length < 3;
  let [index, previous] = [0, ''];
  for (const character of text) {
    const isStart = !isWordCharacter(previous) || /[\u1100-\u115f]/.test(character);
    if ((isStart || !isShort || !isLetter(key)) && text.startsWith(key, index)) return true;
    index += character.length;
    previous = character;
  }
  return false;
}

const isWithin = (value: number | null, { from, to }: UserFilter['created']) =>
  (from === null && to === null) || (value !== null && value >= (from ?? 0) && value < (to ?? 9));

function matches(user: Listed, given: UserFilter): boolean {
  const { search } = given;
  return [
    given.state === null || user.state === given.state,
    given.emailKey === null || user.email === given.emailKey,
    given.level === null || user.level === given.level,
    given.isVerified === null || (user.verified !== null) === given.isVerified,
    given.group === null || (given.group === 'odd' && user.isOdd),
    isWithin(user.time, given.created),
    isWithin(user.login, given.lastLogin),
    given.metadata === null || user.plan === given.metadata.value,
    search === null || contains(user.nameKey, search.key) || contains(user.email, search.key),
  ].every(Boolean);
}

/** Both engines order texts by their bytes in UTF-8; JavaScript by UTF-16. */
const compareBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

const KEYS = { created_at: 'time', last_login_at: 'login', name: 'nameKey', email: 'email' } as const;

function compare(one: Listed, other: Listed, sort: UserSort): number {
  const key = KEYS[sort.replace('-', '') as keyof typeof KEYS];
  const [a, b] = [one[key], other[key]];
  const direction = sort.startsWith('-') ? -1 : 1;
  if (a === null || b === null) {
    if (a !== b) return a === null ? 1 : -1;
  } else if (a !== b) {
    return direction * (typeof a === 'number' ? a - Number(b) : compareBytes(a, String(b)));
  }
  return direction * compareBytes(one.id, other.id);
}

describeStorage('findUsers', (engine) => {
  const service = useService(engine);
  const { database } = service;
  const users: Listed[] = [];

  async function add(given: Sample): Promise<Listed> {
    const { id } = await insertTestUser(database, {
      name: given.name,
      email: given.email,
      emailKey: given.email,
      ownsEmail: false,
      level: given.level,
      state: given.state,
      createdAt: given.time,
      appMetadata: given.plan === null ? null : JSON.stringify({ plan: given.plan }),
    });
    const isOdd = users.length % 2 === 1;
    await database.transaction(async (tx) => {
      await tx.run(SET_TIMES, id, given.login, given.verified);
      if (isOdd) await insertMembers(tx, [['odd', id]], 1);
    });
    return { ...given, id, isOdd, nameKey: given.name === null ? null : normalizeName(given.name) };
  }

  before(async () => {
    const group = { id: 'odd', name: 'odd', title: 'Odd', created_at: 1, updated_at: 1, version: 1 };
    await service.database.transaction((tx) => insertGroup(tx, group));
    for (const seed of [11, 12])
      for (const given of fc.sample(sample, { numRuns: 60, seed })) users.push(await add(given));
  });

  interface Pages {
    readonly filter: UserFilter;
    readonly sort: UserSort;
    readonly limit: number;
    readonly bounds?: Bounds;
  }

  /** Follows the positions, and calls `between` after each page. */
  async function readPages({ bounds, ...rest }: Pages, between = async () => {}): Promise<string[][]> {
    const pages: string[][] = [];
    for (let after: Position | null = null, isLast = false; !isLast; ) {
      const found = await findUsers(service.database, { ...rest, after }, bounds);
      pages.push(found.rows.map(({ id }) => id));
      after = found.next;
      isLast = found.next === null;
      await between();
    }
    return pages;
  }

  const expected = ({ filter: given, sort }: Pages) =>
    users
      .filter((user) => matches(user, given))
      .sort((one, other) => compare(one, other, sort))
      .map(({ id }) => id);

  test('findUsers returns the pages of a reference filter and order, whatever its bounds are', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(request, async (given) => {
        const pages = await readPages(given);
        assert.deepEqual(pages.flat(), expected(given));
        for (const page of pages) assert.ok(page.length <= given.limit);
        found += pages.flat().length;
      }),
      { numRuns: 40 },
    );
    assert.ok(found > 0, 'the requests find users');
  });

  test('countUsers returns the number of users of a reference filter, exactly unless a bound ends the count', async () => {
    const bound = fc.constantFrom(1, 10, 60, 5_000);
    const countBounds = fc.record({ maxCount: bound, maxRead: bound, batch: fc.constantFrom(1, 7, 500) });
    let exact = 0;
    await fc.assert(
      fc.asyncProperty(filter, countBounds, async (given, bounds) => {
        const matching = users.filter((user) => matches(user, given)).length;
        const { count, isExact } = await countUsers(service.database, given, bounds);
        assert.ok(isExact ? count === matching : count <= matching, `${count} of ${matching}`);
        if (bounds.maxRead === 5_000) assert.ok(isExact || matching > bounds.maxCount);
        exact += Number(isExact && count > 0);
      }),
      { numRuns: 40 },
    );
    assert.ok(exact > 0, 'users are counted');
  });

  for (const sort of USER_SORTS) {
    test(`findUsers neither skips nor repeats users in the order ${sort} while others are inserted`, async () => {
      const before = users.map(({ id }) => id);
      const more = fc.sample(sample, { numRuns: 8, seed: 5 });
      const insertOne = async () => {
        const next = more.pop();
        if (next !== undefined) users.push(await add(next));
      };
      for (const maxCandidates of [5, 5_000]) {
        const filter = { ...NO_FILTER, state: 'active' as const };
        const given = { filter, sort, limit: 3, bounds: { maxCandidates, maxRead: 10, firstRead: 1 } };
        const present = expected(given).filter((id) => before.includes(id));
        const read = (await readPages(given, insertOne)).flat();
        assert.deepEqual(
          read.filter((id) => before.includes(id)),
          present,
        );
        assert.equal(new Set(read).size, read.length);
      }
    });
  }

  test('findUsers bounds the rows that a page reads, and returns a shorter page with a next position', async () => {
    const search = parseSearchTerm('zzz');
    const bounds = { maxCandidates: -1, maxRead: 10, firstRead: 1 };
    const given = { filter: { ...NO_FILTER, search }, sort: 'name' as const, limit: 100, bounds };
    const pages = await readPages(given);
    assert.deepEqual(pages.flat(), []);
    // 101 users are read at first, and 500 later.
    assert.equal(pages.length, Math.ceil((users.length - 101) / 500) + 1);
  });

  test('findUsers uses the index of trigrams unless the first users fill a page or have the term too often', async () => {
    const isUsed = async (search: string, limit: number) => {
      let uses = 0;
      const all: Database['all'] = (statement, ...values) => {
        if (Object.is(statement, database.textSearch.find)) uses++;
        return database.all(statement, ...values);
      };
      const filter = { ...NO_FILTER, search: parseSearchTerm(search), isVerified: true };
      const bounds = { maxCandidates: 5_000, maxRead: 5_000, firstRead: 30 };
      const sort = 'created_at' as const;
      await findUsers({ ...database, all }, { filter, sort, limit, after: null }, bounds);
      return uses > 0;
    };
    assert.equal(await isUsed('größ', 100), true);
    assert.equal(await isUsed('größ', 1), false, 'a page of the first users');
    assert.equal(await isUsed('a', 100), false, 'a term that most users have');
  });

  test('findUsers reads all users for a page when none of a few candidates matches', async () => {
    const search = parseSearchTerm('zzz');
    const pages = await readPages({ filter: { ...NO_FILTER, search }, sort: 'name', limit: 1 });
    assert.deepEqual(pages, [[]]);
  });
});
