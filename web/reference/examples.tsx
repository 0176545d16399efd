/** The request of an operation as code, examples of its responses, and the form that sends it. */
import { signal } from '@preact/signals';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { CodeBlock } from '../common/code-block.tsx';
import { LANGUAGES, type Language, toSample } from './code-samples.ts';
import { credentialFor } from './credentials.ts';
import { formatValue, getExamples, type Json, type Operation } from './description.ts';
import { getFields, getSampleValue, toRequest } from './request.ts';
import { TryOut } from './try-out.tsx';

/** One for the whole page. */
const language = signal<Language>('curl');

export function Examples({ operation }: { readonly operation: Operation }) {
  const fields = useMemo(() => getFields(operation), [operation]);
  const [isOpen, setOpen] = useState(false);
  // What is typed stays while the form is closed.
  const wasOpened = useRef(false);
  wasOpened.current ||= isOpen;
  const { access, name } = operation;
  const request = toRequest(operation, fields, getSampleValue);
  return (
    <div class="examples">
      <CodeBlock
        label={LANGUAGES[language.value]}
        head={
          <TabChoice
            legend="Language of the example"
            options={Object.entries(LANGUAGES)}
            value={language.value}
            onChange={(chosen) => {
              language.value = chosen as Language;
            }}
          />
        }
        {...toSample(language.value, request, { access, credential: credentialFor(access) })}
      />
      <ResponseExamples operation={operation} />
      <details
        class={isOpen ? 'try panel body' : 'try'}
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <span class={isOpen ? undefined : 'button primary'}>Try it</span>
          <span class="visually-hidden">: {name}</span>
          {!isOpen && <small>Sends a real request to this instance</small>}
        </summary>
        {wasOpened.current && <TryOut operation={operation} fields={fields} />}
      </details>
    </div>
  );
}

/** Examples of the responses of an operation, by status. */
function ResponseExamples({ operation }: { readonly operation: Operation }) {
  const { responses } = operation;
  const [status, setStatus] = useState(responses[0]!.status);
  const [chosen, setChosen] = useState('');
  const response = responses.find((each) => each.status === status)!;
  const examples = getExamples(response);
  const [name, example] =
    examples.find(([each]) => each === chosen) ??
    (response.isError ? examples[0] : findLongest(examples)) ??
    [];
  return (
    <CodeBlock
      label={`Response ${status}`}
      head={
        <>
          <TabChoice
            legend="Example response"
            options={responses.map((each) => [each.status, each.status])}
            value={status}
            onChange={setStatus}
          />
          <ExampleChoice status={status} examples={examples} value={name} onChange={setChosen} />
        </>
      }
      text={
        example === undefined ? (response.content ? 'No example' : 'No body') : formatValue(example.value)
      }
    />
  );
}

/** Returns the example with the most members: callers with less access get less. */
function findLongest(examples: readonly [name: string, example: Json][]) {
  const getLength = ([, { value }]: [string, Json]) => formatValue(value).length;
  return examples.toSorted((one, other) => getLength(other) - getLength(one))[0];
}

interface ExampleChoiceProps {
  readonly status: string;
  readonly examples: readonly [name: string, example: Json][];
  readonly value: string | undefined;
  readonly onChange: (name: string) => void;
}

function ExampleChoice({ status, examples, value, onChange }: ExampleChoiceProps) {
  if (examples.length < 2) return null;
  return (
    <select
      class="compact"
      aria-label={`Example of ${status}`}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      {examples.map(([name]) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

interface TabChoiceProps {
  readonly legend: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A choice in the head of code. */
function TabChoice({ legend, options, value, onChange }: TabChoiceProps) {
  const name = useId();
  return (
    <fieldset class="tab-choice">
      <legend class="visually-hidden">{legend}</legend>
      {options.map(([each, label]) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            value={each}
            class="visually-hidden"
            checked={each === value}
            onChange={() => onChange(each)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
