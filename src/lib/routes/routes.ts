import type { FastifyPluginAsync, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** Types the parts of requests by their schemas. Responses are validated by the tests instead. */
export interface RequestTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends JSONSchema
    ? FromSchema<this['schema'], { keepDefaultedPropertiesOptional: true }>
    : unknown;
  readonly serializer: unknown;
}

export type FeaturePlugin<Options> = FastifyPluginAsync<Options & object, RawServerDefault, RequestTypes>;
