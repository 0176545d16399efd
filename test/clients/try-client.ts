/** Runs one client: configures it, signs in through the pages of the service, reads the claims and signs out. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../support/processes/postgres-server.ts';
import type { Attempt, Client } from './clients.ts';
import { signInByPage } from './page.ts';
import { createPerson } from './person.ts';
import { type Issuer, PERSON } from './service.ts';

const START_SECONDS = 60;

export interface Run {
  readonly issuer: Issuer;
  readonly directory: string;
  readonly client: Client;
  readonly attempt: Attempt;
}

export interface Running extends Run {
  readonly base: string;
  readonly person: ReturnType<typeof createPerson>;
  readonly environment: Record<string, string>;
}

/** @throws Error that says what the client does not do */
export async function tryClient(run: Run): Promise<void> {
  const { issuer, directory, client, attempt } = run;
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const application = await issuer.createApplication({
    kind: client.kind ?? 'web',
    redirect_uris: [base + (client.callback ?? '/callback')],
    post_logout_redirect_uris: [`${base}/`],
    ...client.application,
    ...attempt.application,
  });
  const environment = {
    ...(process.env as Record<string, string>),
    ...trust(issuer.ca),
    ISSUER: issuer.issuer,
    HTTP_ISSUER: issuer.httpIssuer,
    CLIENT_ID: application.id,
    CLIENT_SECRET: application.client_secret ?? '',
    BASE: base,
    PORT: String(port),
    REDIRECT_URI: base + (client.callback ?? '/callback'),
    SETTINGS: JSON.stringify(attempt.settings ?? {}),
    DIRECTORY: directory,
  };
  const person = createPerson(issuer.issuer, PERSON);
  const running = { ...run, base, person, environment };
  try {
    await PROTOCOLS[client.protocol](running);
    const { url } = await person.visit(`${issuer.issuer}/account`, `${issuer.issuer}/sign-in`);
    if (client.protocol !== 'page' && url === `${issuer.issuer}/account`)
      throw new Error('the person is still signed in after signing out');
  } finally {
    await application.remove();
  }
}

const PROTOCOLS = { lines: runLines, site: runSite, page: signInByPage };

/** Environment variables by which runtimes trust a certificate. */
function trust(ca: string) {
  const names = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE'];
  return Object.fromEntries([...names, 'PERL_LWP_SSL_CA_FILE', 'MOJO_CA_FILE'].map((name) => [name, ca]));
}

/** The program prints a URL, reads that of the callback, and prints the claims and the URL to sign out. */
async function runLines({ client, directory, environment, person, base, issuer }: Running): Promise<void> {
  const { child, errors } = startProgram(client.program!, directory, environment);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await Promise.race([lines.next(), fail(START_SECONDS)]);
    if (done) throw new Error(errors());
    return String(value);
  };
  try {
    const redirectUri = client.follows ? undefined : environment.REDIRECT_URI;
    const { url, status, text } = await person.visit(await next(), redirectUri);
    if (status >= 400) throw new Error(`${status}: ${toText(text)}`);
    if (!client.follows) child.stdin!.write(`${url}\n`);
    checkClaims(await next(), issuer.userId);
    const end = (await next().catch(() => '')) || `${issuer.issuer}/oauth/end-session`;
    await person.visit(end, base);
  } finally {
    await stop(child);
  }
}

/** The program is a site with /login, /claims and /logout. */
async function runSite({ client, directory, environment, person, base, issuer }: Running): Promise<void> {
  const { child, errors } = startProgram(client.program!, directory, environment);
  try {
    await waitFor(base, child, errors);
    const { status, text, url } = await person.visit(base + (client.login ?? '/login'));
    if (status >= 400) throw new Error(`${status} at ${new URL(url).pathname}: ${toText(text)} ${errors()}`);
    const { searchParams } = new URL(url);
    if (searchParams.has('error')) throw new Error(String(searchParams));
    const claims = await person.visit(`${base}/claims`);
    checkClaims(claims.text, issuer.userId, errors());
    await person.visit(client.logout ? base + client.logout : `${issuer.issuer}/oauth/end-session`);
  } finally {
    await stop(child);
  }
}

function startProgram([command, ...values]: readonly string[], cwd: string, env: Record<string, string>) {
  const child = spawn(command === 'node' ? process.execPath : command!, values, { cwd, env, detached: true });
  let errors = '';
  child.on('error', (error) => {
    errors += error.message;
  });
  child.stderr!.on('data', (data) => {
    errors = (errors + data).slice(-4_000);
  });
  return { child, errors: () => errors };
}

async function waitFor(url: string, child: ChildProcess, errors: () => string): Promise<void> {
  for (let tries = 0; tries < START_SECONDS * 10; tries++) {
    if (child.exitCode !== null && child.exitCode !== 0) throw new Error(errors());
    const isUp = await fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await pause(100);
  }
  throw new Error(`the program has not started: ${errors()}`);
}

async function fail(seconds: number): Promise<never> {
  await pause(seconds * 1000, undefined, { ref: false });
  throw new Error('no line of the program');
}

/** Ends the program and its children. */
async function stop(child: ChildProcess): Promise<void> {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

export function checkClaims(text: string, userId: string, errors = ''): void {
  let claims: Record<string, unknown>;
  try {
    claims = JSON.parse(text);
  } catch {
    throw new Error(`no claims: ${toText(text)} ${errors}`);
  }
  if (claims.sub !== userId) throw new Error(`no claims: ${text.slice(0, 300)} ${errors}`);
  if (claims.email !== PERSON.email) throw new Error(`no email in the claims: ${text.slice(0, 200)}`);
}

const toText = (html: string) =>
  html
    .replaceAll(/<(style|script|head)[^>]*>.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300);
