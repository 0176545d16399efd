/**
 * Serializers of responses that are compiled when they are first used: compiling all is a quarter of the start of the
 * server. test/route-table.test.ts compiles each.
 */
import SerializerSelector from '@fastify/fast-json-stringify-compiler';

const createDefaultCompiler = SerializerSelector();

/** Creates the serializers of Fastify, each at the first response with its schema. */
export const buildLazySerializer: typeof createDefaultCompiler = (externalSchemas, options) => {
  const compile = createDefaultCompiler(externalSchemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (value) => {
      serialize ??= compile(route);
      return serialize(value);
    };
  };
};
