/** Requests of the benches, prepared before the clock runs. */
export const ADMIN_TOKEN = 'administrator-credential-of-the-bench';

export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Creates a GET request, with the bearer token if one is passed. */
export function get(path: string, token?: string): BenchRequest {
  return { method: 'GET', path, headers: token === undefined ? {} : { Authorization: `Bearer ${token}` } };
}

/** Creates a POST request with a JSON body, with the bearer token if one is passed. */
export function post(path: string, body: unknown, token?: string): BenchRequest {
  const headers = { ...get(path, token).headers, 'Content-Type': 'application/json' };
  return { method: 'POST', path, headers, body: JSON.stringify(body) };
}

/** Sends one request to a server on this machine, and resolves when the header of the response has arrived. */
export function fetchResponse(port: number, request: BenchRequest): Promise<Response> {
  const { path, method, headers, body } = request;
  return fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null });
}

/** Returns the milliseconds of so many requests, without the first ones, which compile code and statements. */
export async function timeRequests(
  port: number,
  create: (round: number) => BenchRequest,
  { warmUp, rounds }: { readonly warmUp: number; readonly rounds: number },
): Promise<{ readonly first: number; readonly times: number[] }> {
  const times: number[] = [];
  for (let round = 0; round < warmUp + rounds; round++) times.push(await timeRequest(port, create(round)));
  return { first: times[0]!, times: times.slice(warmUp) };
}

/** Returns the milliseconds from the request to the last byte of the response. @throws if it is no success */
async function timeRequest(port: number, request: BenchRequest): Promise<number> {
  const began = performance.now();
  const response = await fetchResponse(port, request);
  await response.text();
  if (!response.ok) throw new Error(`${request.path}: ${response.status}`);
  return performance.now() - began;
}

export const PASSWORD = 'correct horse battery staple';
/** More than a machine hashes in one round: an email must not be registered twice. */
const MAX_REGISTRATIONS = 20_000;

/** Returns a function that creates, on each call, registrations of users that do not exist yet. */
export function createRegistrations(): () => BenchRequest[] {
  let round = 0;
  return () => {
    round++;
    return Array.from({ length: MAX_REGISTRATIONS }, (_, number) => {
      const email = `new-${round}-${number}@example.com`;
      return post('/api/register', { name: `New ${number}`, email, password: PASSWORD });
    });
  };
}

/** Sends a request of the administrator, and returns the `data` of the response. @throws unless it is a success */
export async function administer<Data>(port: number, request: BenchRequest): Promise<Data> {
  const headers = { ...request.headers, Authorization: `Bearer ${ADMIN_TOKEN}` };
  const response = await fetchResponse(port, { ...request, headers });
  if (!response.ok) throw new Error(`${request.path}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { readonly data: Data }).data;
}

/** Five valid form fields, about 300 bytes. */
export const FORM = {
  fields: [
    { label: 'first_name', type: 'text', is_required: true },
    { label: 'email-address', type: 'email', is_required: true },
    { label: 'date_of_birth', type: 'date', is_required: false },
    { label: 'seats', type: 'number', is_required: true },
    { label: 'accept_terms', type: 'checkbox', is_required: true },
  ],
};
