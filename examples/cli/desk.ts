/**
 * A command line program to which people sign in by a code that they confirm on a phone or computer (RFC 8628). Create a
 * `public` application with `device`, and with `refresh` if it shall stay signed in, then:
 * `CLIENT_ID=… node_modules/.bin/node examples/cli/desk.ts login`, and `whoami` or `logout` afterwards.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import * as client from 'openid-client';
import { renderUnicodeCompact } from 'uqr';

interface Kept {
  readonly access_token: string;
  /** Epoch milliseconds. */
  readonly expires_at: number;
  readonly refresh_token?: string | undefined;
  readonly sub: string;
}

export interface Program {
  readonly config: client.Configuration;
  /** Where the tokens are kept, for the person alone. */
  readonly file: string;
  readonly print: (text: string) => unknown;
}

/** Reads the configuration of Frontdesk. */
export function discover(issuer: string, id: string): Promise<client.Configuration> {
  const url = new URL(issuer);
  // Frontdesk on this machine has no TLS; leave the option out everywhere else.
  const options = url.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : {};
  return client.discovery(url, id, undefined, client.None(), options);
}

// #region sign-in
/** Shows the code, and waits until it is confirmed. */
export async function logIn({ config, file, print }: Program): Promise<void> {
  const scope = 'openid email offline_access';
  const device = await client.initiateDeviceAuthorization(config, { scope });
  await print(renderUnicodeCompact(device.verification_uri_complete!));
  await print(`Scan it, or open ${device.verification_uri} and enter ${device.user_code}`);
  const tokens = await client.pollDeviceAuthorizationGrant(config, device);
  await keep(file, tokens, tokens.claims()!.sub);
  await print('You are signed in.');
}

/** Replaces an access token that is about to expire, if the application has refresh tokens. */
async function refresh({ config, file }: Program, kept: Kept): Promise<Kept> {
  const { refresh_token, expires_at, sub } = kept;
  if (refresh_token === undefined || expires_at > Date.now() + 30_000) return kept;
  return keep(file, await client.refreshTokenGrant(config, refresh_token), sub);
}
// #endregion

/** Writes another file first: a refresh token that is lost with half a file cannot be had again. */
async function keep(file: string, tokens: Awaited<ReturnType<typeof client.refreshTokenGrant>>, sub: string) {
  const { access_token, refresh_token } = tokens;
  const kept: Kept = {
    access_token,
    refresh_token,
    sub,
    expires_at: Date.now() + tokens.expiresIn()! * 1000,
  };
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
  await rename(`${file}.new`, file);
  return kept;
}

const read = async (file: string): Promise<Kept> =>
  JSON.parse(
    await readFile(file, 'utf8').catch(() => {
      throw new Error('You are not signed in.');
    }),
  );

/** Shows who is signed in. */
export async function showPerson(program: Program): Promise<void> {
  const { access_token, sub } = await refresh(program, await read(program.file));
  const { email } = await client.fetchUserInfo(program.config, access_token, sub);
  await program.print(String(email ?? sub));
}

/** Revokes the tokens: with a refresh token, those that came from it as well. */
export async function logOut({ config, file, print }: Program): Promise<void> {
  const { access_token, refresh_token } = await read(file);
  await client.tokenRevocation(config, refresh_token ?? access_token);
  await rm(file);
  await print('You are signed out.');
}

const COMMANDS = { login: logIn, whoami: showPerson, logout: logOut };

if (import.meta.main) {
  const { ISSUER = 'http://127.0.0.1:3000', CLIENT_ID = '' } = process.env;
  const { DESK_FILE: file = join(homedir(), '.config', 'desk', 'tokens.json') } = process.env;
  const command = COMMANDS[process.argv[2] as keyof typeof COMMANDS];
  if (command === undefined) throw new Error(`Usage: desk.ts ${Object.keys(COMMANDS).join(' | ')}`);
  const program = { config: await discover(ISSUER, CLIENT_ID), file, print: console.log };
  await command(program).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
