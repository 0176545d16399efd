/** Types and names of routes, the URL of the service, and queries. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsync, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { Problem } from '../../problems/problem.ts';

/** Types the parts of requests by their schemas. Responses are validated by the tests instead. */
interface RequestTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends JSONSchema
    ? FromSchema<this['schema'], { keepDefaultedPropertiesOptional: true }>
    : unknown;
  readonly serializer: unknown;
}

export type FeaturePlugin<Options> = FastifyPluginAsync<Options & object, RawServerDefault, RequestTypes>;

const templates = new Map<string, string>();

/** Returns a path of the router as OpenAPI writes it: `/users/{id}` for `/users/:id`. Only for paths of routes. */
export const toPathTemplate = (url: string): string =>
  templates.getOrInsertComputed(url, () => url.replace(/:(\w+)/g, '{$1}'));

export interface SerializedResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;

/**
 * Returns PUBLIC_URL without a trailing slash. Without one, the origin of a request on this machine, and null for others:
 * their Host could be chosen by the sender.
 */
export function findServiceOrigin(publicUrl: string, { host = '' }: IncomingHttpHeaders): string | null {
  if (publicUrl !== '') return publicUrl.replace(/\/$/, '');
  return LOOPBACK_HOST.test(host) ? `http://${host}` : null;
}

/** Like `findServiceOrigin`. @throws Problem forbidden */
export function getServiceOrigin(publicUrl: string, headers: IncomingHttpHeaders): string {
  const origin = findServiceOrigin(publicUrl, headers);
  if (origin === null) throw new Problem('forbidden', { text: 'Sign-in at other services needs PUBLIC_URL' });
  return origin;
}

/** Returns the path of PUBLIC_URL, which a proxy removes from requests, without a trailing slash. */
export function getBasePath(publicUrl: string): string {
  return publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
}

const LOCAL = /^http:\/\/(?:(?:[^/:]+\.)?localhost|127(?:\.\d+){3}|\[::1\])(?=[:/]|$)/;

/** Whether people on other machines use the service without TLS: browsers then keep no session. */
export const isPlainHttp = (publicUrl: string) => publicUrl.startsWith('http:') && !LOCAL.test(publicUrl);

/** Prefixes of the routes that have a name without a version as well, and the ends of the ids of their operations. */
export const NAME_PREFIXES = [
  { prefix: '/api', idSuffix: '' },
  { prefix: '/api/v1', idSuffix: 'V1' },
] as const;

/** Returns a query with its question mark; empty if all parameters are. */
export function toSearch(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] != null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
