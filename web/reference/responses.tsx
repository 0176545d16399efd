/** The responses of an operation. */
import { useState } from 'preact/hooks';
import { basePath } from '../common/api.ts';
import { getExamples, type Operation, type OperationResponse } from './description.ts';
import { Body, MemberList } from './members.tsx';
import { Inline } from './prose.tsx';
import { toMember } from './schema.ts';

export function Responses({ operation }: { readonly operation: Operation }) {
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
