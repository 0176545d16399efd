/** Values of parameters and members of bodies, on both sides of every rule. */

const longName = 'n'.repeat(255);
const longAddress = `${'a'.repeat(243)}@example.com`;

/** Values of one parameter or member that the service accepts, and values that it rejects. */
export interface Input {
  readonly name: string;
  readonly accepted: readonly unknown[];
  readonly rejected: readonly unknown[];
}

export const registration: readonly Input[] = [
  {
    name: 'name',
    accepted: ['A', ' Ada ', '😀'.repeat(255)],
    rejected: ['', ' ', '\u2003\uFEFF', 'a\u0000b', `${longName}n`, 1, null, undefined],
  },
  {
    name: 'email',
    accepted: ['A.b+c@example.com'],
    rejected: ['', ' ', 'ada', 'ada@', 'ä@example.com', 'a\u0000@example.com', `a${longAddress}`, null],
  },
  {
    name: 'password',
    accepted: ['12345678', '😀'.repeat(8), 'a\u0000bcdefgh'],
    rejected: ['', '1234567', ' '.repeat(8), 12345678, null, undefined],
  },
  { name: 'level', accepted: ['gold', 7, null, {}], rejected: [] },
];

export const address = registration.filter(({ name }) => name === 'email');
export const newPassword = registration.filter(({ name }) => name === 'password');

export const login: readonly Input[] = [
  {
    name: 'email',
    accepted: ['nobody@example.com', 'x', ' x '],
    rejected: ['', ' \t\n', '\u00a0', 'a\u0000b', '\u0000', 5, false, [], null, undefined],
  },
  {
    name: 'password',
    accepted: ['x', ' x', '\u0000', 'p'.repeat(5000)],
    rejected: ['', '   ', '\uFEFF', 5, false, {}, null, undefined],
  },
];

export const userUpdate: readonly Input[] = [
  { name: 'name', accepted: ['Ada', undefined], rejected: ['', ' ', 'a\u0000', `${longName}n`, null, 5] },
  {
    name: 'email',
    accepted: ['ada.l@example.com', undefined],
    rejected: ['', 'ada', `a${longAddress}`, null],
  },
  {
    name: 'level',
    accepted: ['gold', '', null, longName, undefined],
    rejected: ['\u0000', `${longName}n`, 1],
  },
  { name: 'state', accepted: [undefined], rejected: ['', 'unclaimed', 'gone', null, 1] },
  {
    name: 'version',
    accepted: [1, -1, 0, 2 ** 53 - 1, -(2 ** 53 - 1), undefined],
    rejected: [1.5, 2 ** 53, -(2 ** 53), 1e300, '1', true],
  },
  { name: 'password', accepted: [undefined], rejected: ['correct horse battery', '', null, 1] },
];

export const unclaimedUser: readonly Input[] = [
  { name: 'name', accepted: ['Ada', '', ' ', undefined], rejected: ['a\u0000', `${longName}n`, 5, []] },
  { name: 'email', accepted: ['ada@example.com', undefined], rejected: ['ada', `a${longAddress}`, 5] },
];

export const newUser: readonly Input[] = [
  { name: 'level', accepted: ['gold', '', null, undefined], rejected: ['\u0000', `${longName}n`, 1] },
  { name: 'password', accepted: [undefined], rejected: ['1234567', 12345678] },
];

export const newToken: readonly Input[] = [
  {
    name: 'name',
    accepted: ['CI', ' CI ', '😀'.repeat(100)],
    rejected: ['', ' ', 'a\u0000b', 'n'.repeat(101), 1, null, undefined],
  },
  {
    name: 'scopes',
    accepted: [['self:read'], ['self:read', 'self:read'], ['tokens:manage', 'self:write'], undefined],
    rejected: [[], ['admin'], ['self:read', ''], [null], [1], 'self:read', {}, { 0: 'self:read' }, null],
  },
  {
    name: 'expires_in',
    accepted: [60, 31_536_000, undefined],
    rejected: [59, 0, -60, 31_536_001, 2 ** 53, 60.5, '60', true, [60]],
  },
];

export const revokedTokens: readonly Input[] = [
  { name: 'except', accepted: ['current'], rejected: ['', 'CURRENT', 'none', ' current'] },
];

export const listQuery: readonly Input[] = [
  { name: 'limit', accepted: [0, 1, 100, 101, 1_000_000], rejected: ['', -1, 1.5, 'ten', '1e2', '+1'] },
  { name: 'state', accepted: ['unclaimed', 'active', 'disabled'], rejected: ['', 'gone', 'ACTIVE'] },
  { name: 'email', accepted: ['ada@example.com', '', 'ada'], rejected: ['a\u0000b'] },
  {
    name: 'search',
    accepted: ['a', ' Ada ', 'ä', '😀'.repeat(255)],
    rejected: ['', ' ', '\u2003', 'a\u0000b', `${longName}n`],
  },
  {
    name: 'order',
    accepted: ['created_at', '-created_at'],
    rejected: ['', '+created_at', 'name', 'CREATED_AT'],
  },
  { name: 'cursor', accepted: [], rejected: [''] },
];

export const userIds: readonly Input[] = [
  {
    name: 'id',
    accepted: ['1', 'i'.repeat(255), '\u0000', '/', '😀'.repeat(255)],
    rejected: ['i'.repeat(256)],
  },
];

export const idempotencyKeys: readonly Input[] = [
  { name: 'Idempotency-Key', accepted: ['k-1', '"k 2"', 'k'.repeat(255)], rejected: ['', '""', 'a b', 'é'] },
];
