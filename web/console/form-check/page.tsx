/** An editor of form-field definitions, checked by the service. */
import { useRef, useState } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import { shellQuote } from '../../common/code.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Button, Failure, formatCounted, PageHead, Panel } from '../../common/components.tsx';
import { navigate, query, withQuery } from '../../common/router.tsx';
import { FormsTabs, forms } from '../forms/record.tsx';
import {
  type CheckOutcome,
  checkFields,
  type Definition,
  type Field,
  FieldEditor,
  type FieldError,
  PATH,
  presentErrors,
  toBody,
} from './fields.tsx';

/** Longer definitions are not kept in the URL, which servers limit. */
const MAX_URL_LENGTH = 4_000;

let lastKey = 0;
const newField = (definition: Definition = { label: '', type: 'text', is_required: false }): Field => ({
  key: ++lastKey,
  definition,
});

export function FormCheck() {
  const [fields, setFields] = useState<readonly Field[]>(() => readFieldsFromUrl());
  const [outcome, check] = useCheck();
  const errors = presentErrors(outcome, fields);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const text = JSON.stringify(toBody(fields).fields);
    const kept = text.length > MAX_URL_LENGTH ? null : text;
    navigate(withQuery(forms.page, { view: 'check', fields: kept }), { replace: true });
    void check(fields);
  };
  return (
    <>
      <PageHead
        title="Forms"
        context="For applications that store forms themselves: which definitions of fields the service accepts. Nothing is stored."
      />
      <FormsTabs isCheck />
      <div class="columns even">
        <form onSubmit={submit} noValidate class="panel">
          <header>
            <h2>Fields</h2>
            <Button
              icon="plus"
              text="Add a field"
              class="compact end"
              onClick={() => setFields([...fields, newField()])}
            />
          </header>
          <FieldList fields={fields} errors={errors} change={setFields} />
          <footer>
            <button type="submit" class="primary" aria-busy={outcome.kind === 'checking'}>
              Check
            </button>
            <Result outcome={outcome} fields={fields} errors={errors} />
          </footer>
        </form>
        <Panel title="The same request" id="request" body="">
          <CodeBlock label="curl" text={curl(fields)} />
        </Panel>
      </div>
    </>
  );
}

/** Returns the outcome of the latest check, and a function that starts one and aborts the check before it. */
function useCheck(): [CheckOutcome, (fields: readonly Field[]) => Promise<void>] {
  const [outcome, setOutcome] = useState<CheckOutcome>({ kind: 'unchecked' });
  const latest = useRef(new AbortController());
  const check = async (fields: readonly Field[]) => {
    latest.current.abort();
    latest.current = new AbortController();
    const { signal } = latest.current;
    setOutcome({ kind: 'checking' });
    const result = await checkFields(fields, signal);
    if (!signal.aborted) setOutcome(result);
  };
  return [outcome, check];
}

interface FieldListProps {
  readonly fields: readonly Field[];
  readonly errors: readonly FieldError[];
  readonly change: (fields: readonly Field[]) => void;
}

function FieldList({ fields, errors, change }: FieldListProps) {
  return (
    <ol class="checked-fields">
      {fields.map((field, index) => (
        <li key={field.key}>
          <FieldEditor
            name={`Field ${index + 1}`}
            definition={field.definition}
            getError={(member) =>
              errors.find((error) => error.key === field.key && error.member === member)?.detail
            }
            change={(definition) => change(fields.with(index, { ...field, definition }))}
            remove={fields.length === 1 ? undefined : () => change(fields.toSpliced(index, 1))}
          />
        </li>
      ))}
    </ol>
  );
}

interface ResultProps {
  readonly outcome: CheckOutcome;
  readonly fields: readonly Field[];
  readonly errors: readonly FieldError[];
}

/** Empty for definitions that have been changed since they were found valid. */
function Result({ outcome, fields, errors }: ResultProps) {
  if (outcome.kind === 'failed')
    return <Failure what="The definitions could not be checked" error={outcome.error} />;
  const isValid = outcome.kind === 'valid' && outcome.sent === fields;
  const general = errors.filter(({ key }) => key === null).map(({ detail }) => ` ${detail}.`);
  return (
    <p role="status" class={`result tone ${isValid ? 'good' : 'bad'}`}>
      {isValid && `Valid: ${formatCounted(fields.length, 'field')}.`}
      {errors.length > 0 &&
        `${formatCounted(errors.length, 'error')}, shown at the fields.${general.join('')}`}
    </p>
  );
}

function curl(fields: readonly Field[]): string {
  const url = `${location.origin}${basePath}${PATH}`;
  const body = JSON.stringify(toBody(fields), null, 2);
  return `curl ${shellQuote(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellQuote(body)}`;
}

/** Returns the definitions of the URL, or one empty field. */
function readFieldsFromUrl(): Field[] {
  try {
    const given: unknown = JSON.parse(query.value.get('fields') ?? '');
    if (Array.isArray(given) && given.length > 0) return given.map((each) => newField(toDefinition(each)));
  } catch {
    // Not a definition that this page has put there.
  }
  return [newField()];
}

function toDefinition(given: Partial<Record<keyof Definition, unknown>> | null): Definition {
  const { label, type, is_required: isRequired } = given ?? {};
  return { label: String(label ?? ''), type: String(type ?? ''), is_required: isRequired === true };
}
