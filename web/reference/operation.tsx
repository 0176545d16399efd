/** The section of an operation. */
import { useState } from 'preact/hooks';
import { basePath } from '../common/api.ts';
import {
  ACCESS_TEXTS,
  getExamples,
  type Json,
  type Operation,
  type OperationResponse,
} from './description.ts';
import { Examples } from './examples.tsx';
import { Body, MemberList } from './members.tsx';
import { Badge, Breakable, Inline, Mark, Prose } from './prose.tsx';
import { toMember } from './schema.ts';

interface OperationProps {
  readonly operation: Operation;
}

export function OperationSection({ operation }: OperationProps) {
  const { id, name, method, path, details } = operation;
  const [titleId, pathId] = [`title-of-${id}`, `path-of-${id}`];
  return (
    <section id={id} class="operation" tabIndex={-1} aria-labelledby={`${titleId} ${pathId}`}>
      <h3 id={titleId}>
        <a href={`#${id}`}>{name}</a>
      </h3>
      <p class="row">
        <Badge method={method} />{' '}
        <span id={pathId}>
          <code>
            <Breakable path={path} />
          </code>
        </span>
      </p>
      <div class="about">
        <Prose text={details.description} />
        <AccessLine operation={operation} />
      </div>
      <Examples operation={operation} />
      <div class="detail">
        <Parameters operation={operation} />
        <RequestBody operation={operation} />
        <Responses operation={operation} />
      </div>
    </section>
  );
}

function AccessLine({ operation: { access, details } }: OperationProps) {
  return (
    <p class="access small muted">
      Access: <strong>{ACCESS_TEXTS[access]}</strong>
      {details.security
        .flatMap((each: Json) => Object.entries(each))
        .map(([name, scopes]: [string, string[]]) => (
          <>
            {' · '}
            <code>{name}</code>
            {scopes.length > 0 && ` with scope ${scopes.join(', ')}`}
          </>
        ))}
    </p>
  );
}

function Parameters({ operation: { details } }: OperationProps) {
  const { parameters = [] } = details;
  if (parameters.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <MemberList label="Parameters" members={parameters.map((each: Json) => toMember(each.name, each))} />
    </>
  );
}

function RequestBody({ operation: { details } }: OperationProps) {
  const { requestBody } = details;
  if (!requestBody) return null;
  return (
    <>
      <h4>
        Request body
        <Mark text={requestBody.required && 'required'} tone="bad" />
      </h4>
      <Body content={requestBody.content} />
    </>
  );
}

function Responses({ operation }: { readonly operation: Operation }) {
  const { responses, commonResponses } = operation;
  const statuses = new Set(commonResponses.map(({ status }) => status));
  return (
    <>
      <h4>Responses</h4>
      <ResponseList responses={responses} />
      <details class="common-errors">
        <summary>Errors that most operations share: {[...statuses].join(', ')}</summary>
        <ResponseList responses={commonResponses} />
      </details>
    </>
  );
}

function ResponseList({ responses }: { readonly responses: readonly OperationResponse[] }) {
  return (
    <>
      {responses.map((response) => (
        <Response key={`${response.status} ${response.description}`} response={response} />
      ))}
    </>
  );
}

/** Most of the description is in error responses: their content is rendered when they are opened. */
function Response({ response }: { readonly response: OperationResponse }) {
  const { status, isError, description, content, headers } = response;
  const [isOpen, setOpen] = useState(!isError);
  return (
    <details class="response" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class={`tone ${isError ? 'bad' : 'good'}`}>{status}</span>{' '}
        <span>
          <Inline text={description} />
        </span>
      </summary>
      {isOpen && (
        <>
          {content && <Body content={content} />}
          <p class="small muted">Headers</p>
          <MemberList label="Headers" members={Object.entries(headers).map((entry) => toMember(...entry))} />
          {isError &&
            getExamples(response).map(([code, { value }]) => (
              // With a link to the documentation of the code.
              <p class="problem">
                <a href={`${basePath}/docs/problems#${encodeURIComponent(code)}`}>
                  <code>{code}</code>
                </a>{' '}
                {value.error}
              </p>
            ))}
        </>
      )}
    </details>
  );
}
