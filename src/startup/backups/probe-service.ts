/** Starts a service on a restored copy, and uses it as a new account would. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { BackupRejected } from '../../features/backups/format/manifest.ts';

/** A service on a large database starts within seconds. */
const START_TIMEOUT_MS = 120_000;
const PROGRAM = new URL('./drill-service.ts', import.meta.url);

/** Registers, logs in and reads the own account. Nothing is sent: the service has no mail server. @throws BackupRejected */
export async function probeService(dataDir: string, secretKey: string): Promise<void> {
  const child = fork(PROGRAM, { stdio: 'ignore' });
  try {
    child.send({
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      ADMIN_TOKEN: randomBytes(32).toString('hex'),
      CONSOLE: 'off',
      // It may have little of the processor.
      LOAD_SHEDDING_MS: 'off',
      PASSWORD_MAX_WAIT_MS: '60000',
    });
    await useAccount(await readUrl(child));
  } finally {
    const exited = once(child, 'exit');
    if (child.exitCode === null && child.kill('SIGKILL')) await exited;
  }
}

async function readUrl(child: ReturnType<typeof fork>): Promise<string> {
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  const ended = once(child, 'exit', { signal }).then(() => [{ problem: 'it has exited' }]);
  try {
    const [{ url, problem }] = await Promise.race([once(child, 'message', { signal }), ended]);
    if (url === undefined) throw new BackupRejected(`a service on it does not start: ${problem}`);
    return url;
  } finally {
    controller.abort();
    await ended.catch(() => {});
  }
}

async function useAccount(url: string): Promise<void> {
  const email = `drill-${randomBytes(8).toString('hex')}@example.com`;
  const password = randomBytes(16).toString('hex');
  const post = (path: string, body: object) =>
    request(url, path, { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE });
  await post('/api/v1/register', { name: 'Restore drill', email, password });
  const { access_token } = await post('/api/v1/login', { email, password });
  const { data } = await request(url, '/api/v1/me', { headers: { authorization: `Bearer ${access_token}` } });
  if (data?.email !== email)
    throw new BackupRejected('GET /api/v1/me of a service on it returns another account');
}

const JSON_TYPE = { 'content-type': 'application/json' };

interface ProbeResponse {
  readonly access_token?: string;
  readonly data?: { readonly email?: string; readonly access_token?: string };
}

async function request(url: string, path: string, init: RequestInit): Promise<ProbeResponse> {
  const response = await fetch(url + path, init);
  if (response.ok) return (await response.json()) as ProbeResponse;
  throw new BackupRejected(`a service on it responds to ${path} with ${response.status}`);
}
