/**
 * Messages that others make the service send to one address. A mail server counts those for the victim during each
 * attack, which is shorter than an hour.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSmtpServer, type TestSmtpServer } from '../../test/support/smtp-server.ts';
import type { Finding } from '../load/findings.ts';
import { ADMIN_TOKEN, PASSWORD, post } from '../load/requests.ts';
import type { Pace } from '../load/rounds.ts';
import { ANY_CORE, SERVICE, withStage } from '../processes/stage.ts';
import { forwardFrom } from './floods.ts';

const VICTIM = 'victim@example.com';
/** Messages to one address in an hour, without resets and links of the administrator: docs/operations.md. */
const MAX_PER_HOUR = 6;
/** Longer than the interval at which the service reads the queue. */
const REST_MS = 3_000;
const BUSY_PAUSE_MS = 200;
const QUICK_SHARE = 0.2;

/** Sends a request such as `POST /api/login` from a network of its own, and returns the members of the response. */
type Send = (operation: string, body: object, token?: string) => Promise<Record<string, string>>;

interface MailAttack {
  readonly name: string;
  readonly repetitions: number;
  /** Returns the step that is repeated. */
  prepare(send: Send): Promise<(number: number) => Promise<unknown>>;
}

const createAccount = (email: string) => ({ name: 'Attacker', email, password: PASSWORD });

async function register(send: Send, email: string): Promise<string> {
  return (await send('POST /api/register', createAccount(email))).access_token!;
}

const attacks: readonly MailAttack[] = [
  {
    name: 'password changes of an account with the address',
    repetitions: 66,
    async prepare(send) {
      const token = await register(send, VICTIM);
      const passwords = [PASSWORD, `${PASSWORD}, again`];
      return (number) => {
        const body = { current_password: passwords[number % 2], password: passwords[(number + 1) % 2] };
        return send('PUT /api/v1/me/password', body, token);
      };
    },
  },
  {
    name: 'logins to it from as many networks',
    repetitions: 300,
    async prepare(send) {
      await register(send, VICTIM);
      return () => send('POST /api/login', createAccount(VICTIM));
    },
  },
  {
    name: 'changes of the email of ten accounts to it',
    repetitions: 50,
    async prepare(send) {
      const emails = Array.from({ length: 10 }, (_, number) => `attacker-${number}@example.com`);
      const tokens: string[] = [];
      for (const email of emails) tokens.push(await register(send, email));
      const body = { email: VICTIM, current_password: PASSWORD };
      // One after the other, because a newer request of an account replaces the message that waits.
      return async (number) => {
        await send('PATCH /api/v1/me', body, tokens[number % tokens.length]);
        if (number % tokens.length === tokens.length - 1) await pause(REST_MS / 2);
      };
    },
  },
  {
    name: 'registrations with it that are erased',
    repetitions: 12,
    async prepare(send) {
      return async () => {
        const token = await register(send, VICTIM);
        await pause(REST_MS / 2);
        await send('DELETE /api/v1/me', { current_password: PASSWORD }, token);
      };
    },
  },
];

/** Measures every attack on a service of its own. */
export async function measureMailAttacks(pace: Pace): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const attack of attacks) {
    const share = pace.groups === 1 ? QUICK_SHARE : 1;
    findings.push(await measure(attack, Math.ceil(attack.repetitions * share)));
  }
  return findings;
}

async function measure(attack: MailAttack, repetitions: number): Promise<Finding> {
  const smtp = await startSmtpServer();
  try {
    return await withStage(async (stage) => {
      const environment = {
        DATA_DIR: join(stage.directory, 'service'),
        ADMIN_TOKEN,
        TRUST_PROXY: 'loopback',
        SMTP_URL: smtp.url,
        MAIL_FROM: 'Bench <bench@example.org>',
        PUBLIC_URL: 'https://bench.example.org',
      };
      const { port } = await stage.server(SERVICE, environment, ANY_CORE);
      const startedAt = performance.now();
      const step = await attack.prepare(createSender(port));
      for (let number = 0; number < repetitions; number++) await step(number);
      await pause(REST_MS);
      const seconds = (performance.now() - startedAt) / 1000;
      return toFinding(attack.name, { repetitions, seconds, messages: countMessagesToVictim(smtp) });
    });
  } finally {
    await smtp.close();
  }
}

/**
 * Returns a function that sends requests, and repeats those that the service is too busy for.
 * @throws an Error for any other failure, because the attack would seem to fail
 */
function createSender(port: number): Send {
  let networks = 0;
  return async (operation, body, token) => {
    const [method = '', path = ''] = operation.split(' ');
    const number = networks++;
    const request = forwardFrom(`203.0.${number >> 8}.${number & 255}`, post(path, body));
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const headers = { ...request.headers, ...authorization };
    const url = `http://127.0.0.1:${port}${path}`;
    let response = await fetch(url, { method, headers, body: request.body! });
    for (; response.status === 503; response = await fetch(url, { method, headers, body: request.body! }))
      await pause(BUSY_PAUSE_MS);
    if (!response.ok) throw new Error(`${operation}: ${response.status}`);
    return response.status === 204 ? {} : ((await response.json()) as Record<string, string>);
  };
}

function countMessagesToVictim({ received }: TestSmtpServer): number {
  return received.filter(({ recipients }) => recipients.includes(VICTIM)).length;
}

function toFinding(
  what: string,
  { repetitions, seconds, messages }: { repetitions: number; seconds: number; messages: number },
): Finding {
  return {
    bench: 'mail-attacks',
    what,
    figures: { repetitions, seconds, 'messages to the address': messages },
    target: { figure: 'messages to the address', atMost: MAX_PER_HOUR },
  };
}
