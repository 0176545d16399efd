/** Rules about the text of a file: what it may contain, and where. */
import type { Rule } from './rule.ts';

/** Returns a rule that no file except `home` matches one of the patterns. */
function forbidden(title: string, patterns: readonly RegExp[], options: ForbiddenOptions): Rule {
  const { isHome = () => false, examples } = options;
  return {
    title,
    violations: (sources) =>
      sources
        .filter(({ path }) => !isHome(path))
        .flatMap(({ path, code }) =>
          patterns.flatMap((pattern) =>
            (pattern.exec(code) ?? []).slice(0, 1).map((hit) => `${path}: ${hit}`),
          ),
        ),
    broken: examples.map((example) => ({ 'src/startup/start.ts': example })),
  };
}

interface ForbiddenOptions {
  readonly isHome?: (path: string) => boolean;
  readonly examples: readonly string[];
}

/** A string that begins as a statement does; other texts begin with one capital letter. */
const STATEMENT = /['"`]\s*(?:select|insert into|update|delete from|create|drop|alter|with)\s+[\w*(]/;
const STATEMENT_IN_CAPITALS = new RegExp(
  STATEMENT.source.replace(/[a-z ]+(?=[|)])/g, (words) => words.toUpperCase()),
);
/** An engine name as a value, or SQL of one engine. */
const ENGINE = /(['"`])(?:sqlite|postgres(?:ql)?)\1|\bclock_timestamp\b|\bpg_\w+|\bsqlite_\w+/i;

export const codeRules: readonly Rule[] = [
  forbidden(
    'contains SQL only in src/database and in files of queries',
    [
      STATEMENT,
      STATEMENT_IN_CAPITALS,
      /\b(?:sql|prepare(?:Get|Value|Exists|All|Run|Change|ForRows|Table))(?:<[^(]*>)?\(/,
    ],
    {
      isHome: (path) => path.startsWith('src/database/') || /[/-]queries\.ts$/.test(path),
      examples: ["run('select * from users')", 'run(`\n  DELETE FROM users`)', "sql<User>('…')"],
    },
  ),
  forbidden('names a database engine only in src/database, and asks for capabilities elsewhere', [ENGINE], {
    isHome: (path) => path.startsWith('src/database/'),
    examples: ["engine === 'sqlite'", "kind: 'PostgreSQL'", '`now() - clock_timestamp()`'],
  }),
  forbidden(
    'adds events by the statements of one function only, which marks them',
    [/\binsert into events\b/i],
    {
      isHome: (path) => path.startsWith('src/database/') || path === 'src/features/events/queries.ts',
      examples: ['`insert into events (id) select id from given`'],
    },
  ),
  forbidden(
    'reads environment variables only in config.ts, which main and cli pass them to',
    [/.*process\.env.*/],
    {
      isHome: (path) => path === 'src/main.ts' || path === 'src/cli.ts',
      examples: ['const level = process.env.LOG_LEVEL;'],
    },
  ),
  forbidden('does not load modules with process.getBuiltinModule', [/\bgetBuiltinModule\b/], {
    examples: ["process.getBuiltinModule('node:fs')", 'const { getBuiltinModule } = process;'],
  }),
  forbidden('uses no member whose name begins with an underscore', [/\._\w+/, /\[\s*['"`]_\w+/], {
    examples: ['socket._handle', 'socket?._handle.fd', "response['_header']"],
  }),
  forbidden(
    'uses no symbols and no internal modules of libraries',
    [
      /\bSymbol\.for\(.*/,
      /\bpino\.symbols\b|\bkSymbols\b/,
      /\bsymbols\b[^;]*\bfrom '/,
      /'(?:fastify|pino|pg|piscina)\/.*/,
    ],
    {
      examples: [
        "logger[Symbol.for('pino.serializers')]",
        'logger[pino.symbols.streamSym]',
        "import { pino, symbols } from 'pino';",
        "import { kRouteContext } from 'fastify/lib/symbols.js';",
      ],
    },
  ),
  forbidden('normalizes text only with normalizeNfc, which takes linear time', [/\.normalize\(['"]NF/], {
    isHome: (path) => path === 'src/lib/text/normalize.ts',
    examples: ["password.normalize('NFC')"],
  }),
  forbidden('does not switch type checking off with any', [/\bas any\b|: any\b|<any>/], {
    examples: ['const body = input as any;', 'let body: any;', 'new Map<any>()'],
  }),
];

/** The names of these files say what they contain. */
const SELF_EXPLAINING = /[/-](routes|schemas|queries)\.ts$|\/migrations\//;
const FIRST_EXPORT = /(\*\/\s*)?^export (?:abstract |async )?(?:function|class|const|interface|type)\b/m;

export const documentationRule: Rule = {
  title: 'has a doc comment at the beginning of each file or on its first export',
  violations: (sources) =>
    sources
      .filter(({ path }) => !SELF_EXPLAINING.test(path))
      .filter(({ text }) => !text.startsWith('/**') && FIRST_EXPORT.exec(text)?.[1] === undefined)
      .map(({ path }) => path),
  broken: [
    { 'src/lib/text/text.ts': 'export function trim() {}\n/** Trims. */\nexport function trimEnd() {}' },
  ],
};
