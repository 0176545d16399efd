/** `applications`: the usual operations on applications, without JSON. "api" has all of them with all members. */
import { type Command, Option } from 'commander';
import { addConnectionOptions } from './api/api-command.ts';
import { callOperation } from './api/call-operation.ts';
import { createConnection, readOperations } from './api/connection.ts';
import { printResponse } from './api/print-response.ts';
import { type CommandContext, CommandError } from './context.ts';

const EXAMPLES = `
Examples:
  npm run cli -- applications create Wiki --redirect-uri https://wiki.example.com/callback
  npm run cli -- applications create Notes --kind public --redirect-uri com.example.notes:/callback
  npm run cli -- applications rotate-secret 01938c5e-7a00-7b3c-9d1e-2f4a6b8c0d2e --overlap 3600

Calls the running service, as "api" does, which has the other operations: "api updateApplication --help". The id of an
application is its client_id; a secret is printed only once.`;

interface Options {
  readonly url?: string;
  readonly credential?: string;
  readonly json?: boolean;
}

export function addApplicationCommands(program: Command, context: CommandContext): void {
  const applications = program
    .command('applications')
    .description('manage the applications to which people sign in')
    .addHelpText('after', EXAMPLES);
  const addCommand = (usage: string, description: string) =>
    addConnectionOptions(applications.command(usage).description(description)).option(
      '--json',
      'print the response as JSON',
    );
  addCommand('list', 'list the applications').action((options: Options) =>
    call(context, options, { operationId: 'listApplications' }),
  );
  addCommand('create <name>', 'add an application and print its secret')
    .addOption(
      new Option('--kind <kind>', 'whether it keeps a secret').choices(['web', 'public']).default('web'),
    )
    .requiredOption('--redirect-uri <uri...>', 'where people return to after they have signed in')
    .action((name: string, options: Options & { kind: string; redirectUri: string[] }) => {
      const body = { name, kind: options.kind, redirect_uris: options.redirectUri };
      return call(context, options, { operationId: 'createApplication', body });
    });
  addCommand('rotate-secret <id>', 'replace the secret and print the new one')
    .option('--overlap <seconds>', 'how long the present secret stays valid')
    .action((id: string, options: Options & { overlap?: string }) => {
      const body = options.overlap === undefined ? {} : { overlap: Number(options.overlap) };
      return call(context, options, { operationId: 'rotateApplicationSecret', parameters: { id }, body });
    });
  addCommand('delete <id>', 'delete an application and revoke its tokens').action(
    (id: string, options: Options) =>
      call(context, options, { operationId: 'deleteApplication', parameters: { id } }),
  );
}

async function call(
  context: CommandContext,
  { json = false, ...options }: Options,
  given: {
    readonly operationId: string;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly body?: object;
  },
): Promise<void> {
  const connection = createConnection(context, options);
  const operations = await readOperations(connection);
  const operation = operations.find(({ operationId }) => operationId === given.operationId);
  if (operation === undefined) throw new CommandError(`the service at ${connection.url} has no applications`);
  const values = new Map(Object.entries(given.parameters ?? {}));
  const body = given.body === undefined ? {} : { body: JSON.stringify(given.body) };
  await printResponse(await callOperation(connection, { operation, values, ...body }), context, json);
}
