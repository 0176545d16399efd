/** What a migration of the kind `expand` must not do, because nodes of the release before still use the schema. */

const ALWAYS = [/^drop\b/, /^truncate\b/, /^alter (?!table\b)/];
/** Clauses of `alter table`. */
const CLAUSES = [
  /\bdrop\b/,
  /\brename\b/,
  /\balter\b.*(\btype\b|\bset not null\b)/,
  /\badd (constraint|check|unique|primary|foreign|exclude)\b/,
  /\b(check|references|unique|primary key|exclude)\b/,
  /\bnot null\b(?!.*\bdefault\b(?! null\b))(?<!\bdefault\b(?! null\b).*)/,
];

/** Returns the statements that break the release before. Tables that the same step creates may get anything. */
export function findContractions(statements: readonly string[]): string[] {
  const created = new Set<string>();
  return statements.filter((given) => {
    const statement = normalize(given);
    const table = /^create (?:virtual |unlogged )?table (?:if not exists )?(\w+)/.exec(statement)?.[1];
    if (table !== undefined) created.add(table);
    const altered = /^alter table (?:if exists )?(?:only )?(\w+) (.*)/.exec(statement);
    const indexed = /^create unique index .*?\bon (?:only )?(\w+)/.exec(statement)?.[1];
    if (altered !== null && !created.has(altered[1]!))
      return CLAUSES.some((clause) => clause.test(altered[2]!));
    return (
      (indexed !== undefined && !created.has(indexed)) || ALWAYS.some((pattern) => pattern.test(statement))
    );
  });
}

/** Returns the statement without comments, texts, quotes of names and superfluous spaces, in lower case. */
function normalize(statement: string): string {
  return statement
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
