/** A route as its description is made from: its options in Fastify. */
import type { FastifyContextConfig, FastifySchema, RouteOptions } from 'fastify';
import { optionalBody } from '../json-bodies/json-bodies.ts';

export interface DescribedRoute {
  readonly method: string;
  readonly config: FastifyContextConfig;
  readonly schema: FastifySchema;
  /** Whether a request may have no body. */
  readonly hasOptionalBody: boolean;
}

export function toDescribedRoute({
  method,
  config = {},
  schema = {},
  preValidation,
}: RouteOptions): DescribedRoute {
  const hooks: unknown[] = [preValidation].flat();
  return { method: String(method), config, schema, hasOptionalBody: hooks.includes(optionalBody) };
}

/** Whether responses are JSON of the API, perhaps beside other media types. */
export function isJsonRoute({ schema }: Pick<DescribedRoute, 'schema'>): boolean {
  const responses = Object.values((schema.response ?? {}) as Record<string, { content?: object }>);
  return responses.every(({ content }) => content === undefined || 'application/json' in content);
}
