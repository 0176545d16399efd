/** Holds the table of scopes in docs/security.md to the route table. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SCOPES } from '../../src/callers/callers.ts';
import { routes } from '../support/routes.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
const section = document.split('### Scopes\n')[1]!.split(/^#/m)[0]!;
const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)];
/** The operations by scope, as documented. */
const documented = new Map(
  rows.map(([, scope, cell]) => [scope!, [...cell!.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, name]) => name!)]),
);

describe('the table of scopes in docs/security.md', () => {
  test('the table of scopes has each scope of tokens once', () => {
    assert.deepEqual(
      rows.map(([, scope]) => scope),
      [...SCOPES],
    );
  });

  for (const scope of SCOPES) {
    test(`the table of scopes lists the operations that require ${scope}, of which there is at least one`, () => {
      const requiring = routes.filter((route) => route.scope === scope);
      const names = requiring.map(({ method, path }) => `${method} ${path}`);
      assert.ok(names.length > 0);
      assert.deepEqual(documented.get(scope)?.toSorted(), names.sort());
    });
  }

  test('the table of scopes leaves out operations of users that need no scope, which the text names', () => {
    const acceptsUsers = routes.filter(({ access }) => access === 'user' || access === 'optional');
    for (const { method, path, scope } of acceptsUsers) {
      const name = `\`${method} ${path}\``;
      assert.ok(section.includes(name), `${name} is documented with scope ${scope ?? 'none'}`);
    }
  });
});
