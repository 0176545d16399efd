/** Judges of 50,000 answers: the check, pages, the exported schema and types that are generated from it. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { exportSchema } from '../../../../test/support/answer-rules.ts';
import { makeClientDirectory, runBin } from '../../../../test/support/description/generate-client.ts';
import { anyForm, assertPageAgrees, compileSchema } from '../../../../test/support/form-answers.ts';
import { checkAnswers } from './check-answers.ts';
import { markInexactNumbers } from './values.ts';

/** With a hundred answers each. */
const FORMS = 500;

interface Judged {
  readonly schema: object;
  /** JSON texts of answers that are accepted. */
  readonly accepted: readonly string[];
}

/** Labels that TypeScript cannot declare with another type than that of all objects. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

const directory = makeClientDirectory();
after(() => rmSync(directory, { recursive: true }));

test('the check, pages, the schema and generated types agree on all answers', async () => {
  const typed: Judged[] = [];
  let accepted = 0;
  for (const form of fc.sample(anyForm, FORMS)) {
    const judged = judge(form);
    accepted += judged.accepted.length;
    if (!form.fields.some(({ label }) => INHERITED.includes(label))) typed.push(judged);
  }
  assert.ok(accepted > FORMS * 10, `${accepted} were accepted`);
  assert.ok(typed.length > 0);
  await compileAnswers(typed);
});

/** Compares all but the generated types. */
function judge({ fields, lists }: typeof anyForm extends fc.Arbitrary<infer F> ? F : never): Judged {
  const validate = compileSchema(fields);
  const accepted = lists
    .map((list) => JSON.stringify(Object.fromEntries(list)))
    .filter((text) => {
      const given = new Map(Object.entries(JSON.parse(text, markInexactNumbers as never)));
      const isAccepted = checkAnswers(fields, given).errors.length === 0;
      assert.equal(validate(JSON.parse(text)), isAccepted, text);
      assertPageAgrees(fields, text);
      return isAccepted;
    });
  return { schema: JSON.parse(exportSchema(fields)), accepted };
}

/** @throws Error if an accepted answer has not the type that a client generates from the schema */
async function compileAnswers(forms: readonly Judged[]): Promise<void> {
  const schemas = forms.map(({ schema }, index) => {
    const name = `Form${index}`;
    return [name, { ...schema, title: name }] as const;
  });
  const paths = { '/': { get: { operationId: 'get', responses: { 200: { description: 'OK' } } } } };
  const info = { title: 'Forms', version: '1' };
  const description = {
    openapi: '3.1.0',
    info,
    paths,
    components: { schemas: Object.fromEntries(schemas) },
  };
  writeFileSync(join(directory, 'forms.json'), JSON.stringify(description));
  await runBin('oazapfts', ['--allSchemas', join(directory, 'forms.json'), join(directory, 'client.ts')]);
  const values = forms.map(
    ({ accepted }, index) =>
      `export const form${index}: client.Form${index}[] = [${accepted.join(',\n')}];\n`,
  );
  const program = join(directory, 'answers.ts');
  writeFileSync(program, `import type * as client from './client.ts';\n${values.join('')}`);
  const options =
    '--ignoreConfig --noEmit --strict --target esnext --module esnext --moduleResolution bundler';
  const more = ['--allowImportingTsExtensions', '--skipLibCheck'];
  await runBin('tsc', [...options.split(' '), ...more, program]);
}
