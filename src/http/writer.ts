/** From what a handler answers to what is sent: JSON by the schema of its status; text as it is. */
import type { TSchema } from '../lib/schema.ts';
import { JSON_TYPE } from './response/media-types.ts';
import type { HandlerResponse, Route, SerializedResponse } from './route.ts';
import { compileSerializer, type Serialize } from './serializer.ts';

export type Write = (answer: HandlerResponse) => SerializedResponse;

/** `shared` are the schemas that those of the route refer to by `$id`. */
export function createWriter(route: Route, shared: readonly TSchema[]): Write {
  const serializers = new Map<number, Serialize>();
  for (const [status, { schema }] of Object.entries(route.responses)) {
    if (schema !== undefined) serializers.set(Number(status), compileSerializer(schema, shared));
  }
  return ({ status, headers, body }) => {
    if (body === undefined || typeof body === 'string') return { status, headers: headers ?? {}, body };
    const serialize = serializers.get(status) ?? JSON.stringify;
    return { status, headers: { ...headers, 'content-type': JSON_TYPE }, body: serialize(body) };
  };
}
