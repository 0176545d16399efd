/** An editor of form-field definitions, checked by the service. */
import { useState } from 'preact/hooks';
import type { ApiError, PointedError } from '../../common/api.ts';
import { basePath } from '../../common/api.ts';
import { CodeBlock, shellQuote } from '../../common/code-block.tsx';
import { Failure, formatCount, ViewHeading } from '../../common/components.tsx';
import { navigate, query, withQuery } from '../../common/router.tsx';
import { toApiError } from '../../common/use-load.ts';
import { request } from '../session.ts';
import { type Definition, FieldEditor } from './field-editor.tsx';

const PATH = '/api/v1/form-fields/validate';
/** Longer definitions are not kept in the URL, which servers limit. */
const MAX_URL_LENGTH = 4_000;

type Outcome =
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'valid'; readonly count: number }
  | { readonly kind: 'invalid'; readonly errors: readonly PointedError[] }
  | { readonly kind: 'failed'; readonly error: ApiError };

let lastKey = 0;
const newField = (definition: Definition = { label: '', type: 'text', is_required: false }) => ({
  key: ++lastKey,
  definition,
});
type Field = ReturnType<typeof newField>;

export function FormCheck() {
  const [fields, setFields] = useState<readonly Field[]>(() => fieldsOfUrl());
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'unchecked' });
  const change = (changed: readonly Field[]) => {
    setFields(changed);
    // Errors belong to the definition that was checked: positions may have changed since.
    if (changed.length !== fields.length) setOutcome({ kind: 'unchecked' });
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setOutcome({ kind: 'checking' });
    keepInUrl(fields);
    setOutcome(await check(fields));
  };
  return (
    <>
      <ViewHeading title="Form check">Form check</ViewHeading>
      <p class="muted">
        Checks definitions of form fields as applications do before they store a form. Nothing is stored.
      </p>
      <form onSubmit={submit} noValidate>
        <FieldList
          fields={fields}
          errors={outcome.kind === 'invalid' ? outcome.errors : []}
          change={change}
        />
        <Result outcome={outcome} />
        <div class="actions">
          <button type="submit" aria-busy={outcome.kind === 'checking'}>
            Check
          </button>
          <button type="button" class="secondary" onClick={() => change([...fields, newField()])}>
            Add a field
          </button>
        </div>
      </form>
      <CodeBlock label="The same request with curl" text={curl(fields)} />
    </>
  );
}

interface FieldListProps {
  readonly fields: readonly Field[];
  readonly errors: readonly PointedError[];
  readonly change: (fields: readonly Field[]) => void;
}

function FieldList({ fields, errors, change }: FieldListProps) {
  return (
    <ol class="definitions">
      {fields.map((field, index) => (
        <li key={field.key}>
          <FieldEditor
            name={`Field ${index + 1}`}
            definition={field.definition}
            errorOf={(member) =>
              errors.find(({ pointer }) => pointer === `#/fields/${index}${member}`)?.detail
            }
            change={(definition) => change(fields.with(index, { ...field, definition }))}
            remove={fields.length === 1 ? undefined : () => change(fields.toSpliced(index, 1))}
          />
        </li>
      ))}
    </ol>
  );
}

function Result({ outcome }: { readonly outcome: Outcome }) {
  if (outcome.kind === 'failed')
    return <Failure what="The definitions could not be checked" error={outcome.error} />;
  return (
    <p role="status" class={`result ${outcome.kind}`}>
      {outcome.kind === 'valid' && `Valid: ${counted(outcome.count, 'field')}.`}
      {outcome.kind === 'invalid' && `${counted(outcome.errors.length, 'error')}, shown at the fields.`}
    </p>
  );
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

async function check(fields: readonly Field[]): Promise<Outcome> {
  try {
    const headers = { Accept: 'application/problem+json' };
    await request(PATH, { method: 'POST', body: bodyOf(fields), headers });
    return { kind: 'valid', count: fields.length };
  } catch (failure) {
    const error = toApiError(failure);
    if (error.pointedErrors.length > 0) return { kind: 'invalid', errors: error.pointedErrors };
    return { kind: 'failed', error };
  }
}

const bodyOf = (fields: readonly Field[]) => ({ fields: fields.map(({ definition }) => definition) });

function curl(fields: readonly Field[]): string {
  const url = `${location.origin}${basePath}${PATH}`;
  const body = JSON.stringify(bodyOf(fields), null, 2);
  return `curl ${shellQuote(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellQuote(body)}`;
}

function keepInUrl(fields: readonly Field[]): void {
  const text = JSON.stringify(bodyOf(fields).fields);
  const kept = text.length > MAX_URL_LENGTH ? null : text;
  navigate(withQuery('/console/form-check', { fields: kept }), { replace: true });
}

/** Returns the definitions of the URL, or one empty field. */
function fieldsOfUrl(): Field[] {
  try {
    const given: unknown = JSON.parse(query.value.get('fields') ?? '');
    if (Array.isArray(given) && given.length > 0) return given.map((each) => newField(definitionOf(each)));
  } catch {
    // Not a definition that this page has put there.
  }
  return [newField()];
}

function definitionOf(given: Partial<Record<keyof Definition, unknown>> | null): Definition {
  const { label, type, is_required: isRequired } = given ?? {};
  return { label: String(label ?? ''), type: String(type ?? ''), is_required: isRequired === true };
}
