/** `api`: calls an operation of the running service. Operations and options are those of its OpenAPI description. */
import { Command, Option } from 'commander';
import type { CommandContext } from '../context.ts';
import {
  callOperation,
  type OperationCall,
  printRecords,
  printResponse,
  readAllPages,
  readBody,
} from './call-operation.ts';
import {
  type Connection,
  createConnection,
  type Operation,
  type Parameter,
  readOperations,
} from './connection.ts';

const EXAMPLES = `
Examples:
  npm run cli -- api listUsers --state disabled --sort -last_login_at
  npm run cli -- api getUser --id 01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e --json
  npm run cli -- api createUser --body @user.json
  npm run cli -- api updateSettings --if-match '*' --body '{"TOKEN_LIFETIME_DAYS":"7"}'
  npm run -s cli -- api listEvents --type login.failed --all --json | jq -r .subject

Calls the service at HOST and PORT of the settings, with the credential in FRONTDESK_CREDENTIAL or, without it, that of
the first owner. Prints tables without empty columns. "api <operation> --help" describes the options of an operation.`;

export function addApiCommand(program: Command, context: CommandContext): void {
  const api = program
    .command('api [arguments...]')
    .usage('[operation] [options]')
    .description('call an operation of the running service')
    .helpOption(false)
    // Known only with the description.
    .allowUnknownOption();
  addConnectionOptions(api).action(
    async (args: readonly string[], options: { url?: string; credential?: string }) => {
      const connection = createConnection(context, options);
      const operations = await readOperations(connection);
      const commands = new Command('npm run cli -- api').copyInheritedSettings(program);
      addConnectionOptions(commands.showHelpAfterError(false)).addHelpText('after', EXAMPLES);
      for (const operation of operations) addOperation(commands, operation, { context, connection });
      const given = args.length === 0 ? ['--help'] : args.map(toKebabOption);
      await commands.parseAsync(given, { from: 'user' });
    },
  );
}

function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <url>', 'URL of the service')
    .option('--credential <credential>', 'credential of an administrator, or access token of a user');
}

/** `--created_from` and `--tokenId` are accepted as `--created-from` and `--token-id`. */
const toKebabOption = (arg: string): string => arg.replace(/^--[a-z][\w-]*/i, toKebabCase);

function toKebabCase(name: string): string {
  return name
    .replace(/([a-z])(?=[A-Z])/g, '$1-')
    .replaceAll('_', '-')
    .toLowerCase();
}

interface Target {
  readonly context: CommandContext;
  readonly connection: Connection;
}

interface ApiOptions extends Readonly<Record<string, string | boolean | undefined>> {
  readonly json?: boolean;
  readonly all?: boolean;
  readonly body?: string;
}

function addOperation(commands: Command, operation: Operation, target: Target): void {
  const { operationId, tags, summary, description, parameters, requestBody } = operation;
  const command = commands
    .command(operationId)
    .helpGroup(`${tags[0]}:`)
    .summary(summary)
    .description(description ?? summary);
  const options = parameters.map((parameter) => ({ name: parameter.name, option: toOption(parameter) }));
  for (const { option } of options) command.addOption(option);
  if (requestBody !== undefined)
    command.addOption(
      new Option('--body <json>', 'JSON text, @file, or @- for standard input').makeOptionMandatory(
        requestBody.required,
      ),
    );
  const names = parameters.map(({ name }) => name);
  if (names.includes('cursor') && names.includes('limit'))
    command.option('--all', 'read all pages; with --json, print one record per line');
  command.option('--json', 'print the response as JSON').action(async (given: ApiOptions) => {
    const values = options.flatMap(({ name, option }): [string, string][] => {
      const value = given[option.attributeName()];
      return typeof value === 'string' ? [[name, value]] : [];
    });
    const body = given.body === undefined ? {} : { body: await readBody(given.body, target.context) };
    await run(target, { operation, values: new Map(values), ...body }, given);
  });
}

function toOption({ name, required, description, schema }: Parameter): Option {
  const choices = schema.enum === undefined ? '' : ` (${schema.enum.join(', ')})`;
  return new Option(`--${toKebabCase(name)} <value>`, `${description}${choices}`).makeOptionMandatory(
    required,
  );
}

async function run({ connection, context }: Target, call: OperationCall, options: ApiOptions): Promise<void> {
  const asJson = options.json === true;
  if (options.all === true) return printRecords(readAllPages(connection, call), context, asJson);
  const response = await callOperation(connection, call);
  const isFile = response.headers.has('content-disposition');
  if (call.operation.method === 'GET' && !isFile) context.letReaderEnd();
  return printResponse(response, context, asJson);
}
