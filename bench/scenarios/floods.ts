/** Requests of attackers. Each is sent from many networks of one /56, or from many IPv4 addresses. */
import { randomUUID } from 'node:crypto';
import { type BenchRequest, get, post } from '../load/requests.ts';

export interface Flood {
  readonly name: string;
  readonly perSecond: number;
  requests(): BenchRequest[];
}

/** Returns the request as a trusted proxy forwards it for a client of this network. */
export function forwardFrom(network: string, request: BenchRequest): BenchRequest {
  return { ...request, headers: { ...request.headers, 'X-Forwarded-For': network } };
}

const SUBNETS = 256;
const COSTLY_MEMBERS = 83_000;
const GUESSES = 20_000;

/** Returns an address in each /64 of one /56. */
const formatSubnet = (number: number) => `2001:db8:77:${(number % SUBNETS).toString(16)}::1`;
const formatIpv4 = (number: number) => `203.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
const createWrongLogin = (number: number) =>
  post('/api/login', { email: `invented-${number}@example.com`, password: 'a wrong password' });
const createMany = (count: number, make: (number: number) => BenchRequest) =>
  Array.from({ length: count }, (_, number) => make(number));

export const floods: readonly Flood[] = [
  {
    name: 'costly JSON from a /56',
    perSecond: 20,
    requests() {
      const body = createCostlyBody();
      return createMany(SUBNETS, (number) =>
        forwardFrom(formatSubnet(number), createCostlyRegistration(body)),
      );
    },
  },
  {
    name: 'logins from a /56',
    perSecond: 200,
    requests: () =>
      createMany(GUESSES, (number) => forwardFrom(formatSubnet(number), createWrongLogin(number))),
  },
  {
    name: 'guesses from IPv4 addresses',
    perSecond: 400,
    requests: () =>
      createMany(GUESSES, (number) => forwardFrom(formatIpv4(number), createWrongLogin(number))),
  },
  {
    name: 'creations from a /56',
    perSecond: 200,
    requests: () =>
      createMany(SUBNETS, (number) => forwardFrom(formatSubnet(number), post('/api/v1/users', {}))),
  },
  {
    name: 'wrong administrator credentials',
    perSecond: 200,
    requests: () =>
      createMany(SUBNETS, (number) =>
        forwardFrom(formatSubnet(number), get('/api/v1/users', `guess-${number}`.padEnd(32, 'x'))),
      ),
  },
];

/** Returns an object of nearly 1 MiB with as many members as fit. */
function createCostlyBody(): string {
  const members = Array.from(
    { length: COSTLY_MEMBERS },
    (_, number) => `"${number.toString(36)}":${number % 10}`,
  );
  return `{${members.join()}}`;
}

function createCostlyRegistration(body: string): BenchRequest {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  return { method: 'POST', path: '/api/register', headers, body };
}
