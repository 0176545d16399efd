/** The operations of a service, from its OpenAPI description. */
import { CommandError } from '../output.ts';
import { type Connection, send } from './connection.ts';

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
