/** Lists by group, and tokens of an application that is limited to groups, beside the same without groups, on both engines. */
import type { BenchOptions } from '../benches.ts';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, type BenchRequest, get, timeRequests } from '../load/requests.ts';
import { QUICK_PACE } from '../load/rounds.ts';
import { median } from '../load/statistics.ts';
import { measureOnEngines, type SeededEngine } from '../processes/engines.ts';
import { openDriver } from '../processes/seed-events.ts';

const USERS = 1_000_000;
const QUICK_USERS = 100_000;
const GROUPS = 500;
/** Those of the limited application. Each user is in one of them, and in one of the others. */
const ALLOWED = 50;
/** One for each request: those of the first half are of an application for everybody, the others of a limited one. */
const TOKENS = 1_000;
const ROUNDS = 200;
const WARM_UP_ROUNDS = 50;
const MAX_RATIO = 1.2;

export function measureGroups({ pace }: BenchOptions): Promise<Finding[]> {
  const users = pace === QUICK_PACE ? QUICK_USERS : USERS;
  return measureOnEngines({ users, tokens: TOKENS }, async (seeded) => {
    await seedGroups(seeded);
    const port = await seeded.start({ LOAD_SHEDDING_MS: 'off', RATE_LIMITS: 'off' });
    const list = (query: string) => get(`/api/v1/users?limit=20${query}`, ADMIN_TOKEN);
    const me = (index: number) => get('/api/v1/me', seeded.sample.tokens[index]);
    const compare = (what: string, pair: Parameters<typeof timePair>[1]) =>
      timePair(port, pair).then((figures) => toFinding(`${seeded.engine}: ${what}`, figures));
    return [
      await compare('list of a group, beside that of all', [
        () => list(''),
        (round) => list(`&group=group-${round % GROUPS}`),
      ]),
      await compare('me by a token of a limited application, beside one for everybody', [
        (round) => me(round),
        (round) => me(TOKENS / 2 + round),
      ]),
    ];
  });
}

/** Returns the medians of both requests, which are timed in turn, so that other work on the machine delays both. */
async function timePair(
  port: number,
  pair: readonly [without: (round: number) => BenchRequest, withGroups: (round: number) => BenchRequest],
): Promise<readonly number[]> {
  const order = { warmUp: 2 * WARM_UP_ROUNDS, rounds: 2 * ROUNDS };
  const { times } = await timeRequests(port, (at) => pair[at % 2]!(Math.floor(at / 2)), order);
  return [0, 1].map((rest) => median(times.filter((_, at) => at % 2 === rest)));
}

function toFinding(what: string, [without, withGroups]: readonly number[]): Finding {
  const figures = { 'without ms': without!, 'with ms': withGroups!, ratio: withGroups! / without! };
  return { bench: 'groups', what, figures, target: { figure: 'ratio', atMost: MAX_RATIO } };
}

/** Stores groups with members, and makes the tokens those of two applications. No service may run. */
async function seedGroups(seeded: SeededEngine): Promise<void> {
  const { execute, close } = await openDriver(seeded);
  const numbers = (count: number) =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${count - 1})`;
  await execute(`insert into groups (id, name, title, created_at, updated_at, version) ${numbers(GROUPS)}
    select 'id-' || cast(i as text), 'group-' || cast(i as text), 'Group', 1, 1, 1 from n`);
  await execute(
    'create table bench_users (n bigint primary key, id text not null, created_at bigint not null)',
  );
  await execute('insert into bench_users select row_number() over (order by id), id, created_at from users');
  for (const group of [`n % ${ALLOWED}`, `${ALLOWED} + n % ${GROUPS - ALLOWED}`])
    await execute(`insert into group_members (user_id, group_id, user_created_at, created_at)
      select id, 'id-' || cast(${group} as text), created_at, 1 from bench_users`);
  const all = JSON.stringify(Array.from({ length: ALLOWED }, (_, index) => `id-${index}`));
  for (const [id, allowed] of [
    ['everybody', 'null'],
    ['limited', `'${all}'`],
  ])
    await execute(`insert into applications (id, name, name_key, kind, redirect_uris, post_logout_redirect_uris, scopes,
        id_token_alg, created_at, updated_at, version, allowed_groups)
      values ('${id}', '${id}', '${id}', 'web', '[]', '[]', 'self:read', 'RS256', 1, 1, 1, ${allowed})`);
  const now = Date.now();
  await execute(`insert into sign_in_sessions (id, hash, user_id, amr, authenticated_at, created_at, last_used_at, expires_at)
    select id, id, user_id, 'pwd', ${now}, ${now}, ${now}, ${now + 86_400_000} from tokens`);
  await execute(`update tokens set session_id = id, application_id = case when user_id in (
      select id from bench_users where n <= ${TOKENS / 2}) then 'everybody' else 'limited' end`);
  await execute('drop table bench_users');
  await execute('analyze');
  await close();
}
