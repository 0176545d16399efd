/** The responses of an operation. */
import { useState } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { useDescription } from '../description/description.ts';
import { formatted, getExamples } from '../description/samples.ts';
import { type Json, resolve } from '../description/schema.ts';
import { Inline, Prose } from '../prose.tsx';
import { Body } from './bodies.tsx';
import { described, MemberTable } from './member-table.tsx';

export function Responses({ responses = {} }: { readonly responses?: Json }) {
  const api = useDescription();
  const all = Object.entries<Json>(responses);
  if (all.length === 0) return null;
  return (
    <>
      <h4>Responses</h4>
      {all.map(([status, response]) => (
        <Response key={status} status={status} response={resolve(api, response)} />
      ))}
    </>
  );
}

const isErrorStatus = (status: string) => !/^[123]/.test(status);

interface ResponseProps {
  readonly status: string;
  readonly response: Json;
}

/** Most of the document is in error responses: their content is rendered when they are opened. */
function Response({ status, response }: ResponseProps) {
  const isError = isErrorStatus(status);
  const [isOpen, setOpen] = useState(!isError);
  return (
    <details class="response" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Summary status={status} response={response} />
      {isOpen && <Content status={status} response={response} />}
    </details>
  );
}

function Summary({ status, response }: ResponseProps) {
  const isError = isErrorStatus(status);
  const { description = '' } = response;
  const examples = useExamples(response);
  // Codes that the description names already are not listed again.
  const codes = isError ? examples.filter(([name]) => name && !description.includes(`\`${name}\``)) : [];
  return (
    <summary>
      <span class={`code-number ${isError ? 'error' : 'success'}`}>{status}</span>
      <span class="phrase">
        <Inline text={description} />
      </span>
      {codes.length > 0 && (
        <span class="codes">
          {codes.map(([name]) => (
            <code>{name}</code>
          ))}
        </span>
      )}
    </summary>
  );
}

function Content({ status, response }: ResponseProps) {
  const { content, headers } = response;
  const isError = isErrorStatus(status);
  return (
    <>
      <Body content={content} />
      <Headers headers={headers} />
      {useExamples(response).map(([name, example]) => (
        <Example name={name} example={example} isError={isError} />
      ))}
      {!content && !headers && <p>No body.</p>}
    </>
  );
}

function useExamples({ content }: Json) {
  return getExamples(useDescription(), Object.values<Json>(content ?? {})[0] ?? {});
}

function Headers({ headers = {} }: { readonly headers?: Json }) {
  const api = useDescription();
  const rows = Object.entries<Json>(headers).map(([label, header]) => {
    const { required, deprecated, ...rest } = resolve(api, header);
    return { label, required, deprecated, schema: described(rest) };
  });
  return rows.length > 0 ? <MemberTable rows={rows} caption="Headers" first="Header" /> : null;
}

interface ExampleProps {
  readonly name: string;
  readonly example: Json;
  readonly isError: boolean;
}

/** The name of an error example is its code, which links to the documentation of the code. */
function Example({ name, example, isError }: ExampleProps) {
  const { summary = '', value } = example;
  return (
    <>
      {name && isError ? (
        <p class="problem">
          <a href={`${basePath}/docs/problems#${encodeURIComponent(name)}`}>
            <code>{name}</code>
          </a>{' '}
          <Inline text={summary} />
        </p>
      ) : (
        <Prose text={summary} />
      )}
      <CodeBlock label={name ? `Example: ${name}` : 'Example'} text={formatted(value)} />
    </>
  );
}
