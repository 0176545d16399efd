/** The running service that `api` calls, and the credential that it uses. */
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { readSecretFile } from '../../startup/secret-files.ts';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../output.ts';

export type Connection = ReturnType<typeof createConnection>;

/** Returns the service and the credential of the options or, without them, those of the settings. */
export function createConnection(
  context: CommandContext,
  { url, credential }: { url?: string; credential?: string },
) {
  return {
    url: (url ?? getOwnUrl(context)).replace(/\/+$/, ''),
    getCredential: () => validateCredential(credential ?? findCredential(context)),
  };
}

/** An address for all networks, such as `0.0.0.0`, leads to this machine. */
function getOwnUrl({ readSettings }: CommandContext): string {
  const { host, port } = readSettings();
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function findCredential({ readEnvironment, readSettings }: CommandContext): string {
  const given = readEnvironment().variables.FRONTDESK_CREDENTIAL;
  if (given !== undefined && given !== '') return given;
  const { adminTokens, dataDir } = readSettings();
  const credential = adminTokens?.[0] ?? readSecretFile(join(dataDir, 'admin-token'));
  if (credential !== null) return credential;
  throw new CommandError('there is no credential: set FRONTDESK_CREDENTIAL, or give --credential');
}

/** `fetch` repeats an invalid header in its message. @throws CommandError */
function validateCredential(credential: string): string {
  if (/^[\x21-\x7e]+$/.test(credential)) return credential;
  throw new CommandError('the credential has other characters than visible ASCII characters');
}

/** Sends a request to the service. @throws CommandError if it cannot be reached */
export async function send({ url }: Connection, path: string, options?: RequestInit): Promise<Response> {
  try {
    // A redirect would take the credential elsewhere.
    return await fetch(`${url}${path}`, { ...options, redirect: 'error' });
  } catch (error) {
    const { cause, message } = error as Error & { readonly cause?: NodeJS.ErrnoException };
    const reason = cause?.code || cause?.message || message;
    throw new CommandError(`the service at ${url} cannot be reached (${reason}); --url names another one`);
  }
}
