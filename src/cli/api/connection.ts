/** The running service that `api` calls, the credential that it uses, and the operations that it describes. */
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { readSecretFile } from '../../startup/secret-files.ts';
import { type CommandContext, CommandError } from '../context.ts';

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

export interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: { readonly enum?: readonly string[] };
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** Empty: no credential is used. */
  readonly security: readonly object[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean };
}

type Reference = { readonly $ref: string };
type DescribedOperation = Omit<Operation, 'parameters'> & {
  readonly parameters?: readonly (Parameter | Reference)[];
};

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Asks the service itself, whose release may differ from that of the command. @throws CommandError */
export async function readOperations(connection: Connection): Promise<Operation[]> {
  const response = await send(connection, '/openapi.json');
  if (!response.ok) throw new CommandError(`${connection.url}/openapi.json returned ${response.status}`);
  const { paths, components } = (await response.json()) as Description;
  const resolve = (parameter: Parameter | Reference) =>
    '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      ...{ method: method.toUpperCase(), path },
      parameters: (operation.parameters ?? []).map(resolve),
    })),
  );
}
