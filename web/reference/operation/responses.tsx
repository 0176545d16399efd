/** The responses of an operation. */
import { useState } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import {
  getCommonErrors,
  getSharedHeaders,
  getSharedResponses,
  toErrorKey,
} from '../description/common-errors.ts';
import { useDescription } from '../description/description.ts';
import { getResponseExamples, isErrorStatus } from '../description/samples.ts';
import { type Json, resolve, resolveResponse } from '../description/schema.ts';
import { Inline } from '../prose.tsx';
import { Body } from './bodies.tsx';
import { described, MemberList } from './member-list.tsx';

export function Responses({ responses = {} }: { readonly responses?: Json }) {
  const api = useDescription();
  const common = getCommonErrors(api);
  const all = Object.entries<Json>(responses).map(([status, each]) => ({
    status,
    response: resolveResponse(api, each),
  }));
  if (all.length === 0) return null;
  const isCommon = ({ status, response }: ResponseProps) => common.has(toErrorKey(status, response));
  const shared = getSharedResponses(api).map(([status, each]) => ({
    status,
    response: resolveResponse(api, each),
  }));
  const folded = [...all.filter(isCommon), ...shared].sort(
    (one, other) => Number(one.status) - Number(other.status),
  );
  return (
    <>
      <h4>Responses</h4>
      {all
        .filter((each) => !isCommon(each))
        .map((each) => (
          <Response key={each.status} {...each} />
        ))}
      {folded.length > 0 && <CommonErrors responses={folded} />}
    </>
  );
}

/** Errors that most operations share say little about one: they are folded, in one line. */
function CommonErrors({ responses }: { readonly responses: readonly ResponseProps[] }) {
  const statuses = new Set(responses.map(({ status }) => status));
  return (
    <details class="common-errors">
      <summary>Errors that most operations share: {[...statuses].join(', ')}</summary>
      {responses.map((each) => (
        <Response key={toErrorKey(each.status, each.response)} {...each} />
      ))}
    </details>
  );
}

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
  const examples = getResponseExamples(useDescription(), status, response);
  // Codes that the description names already are not listed again.
  const codes = isError ? examples.filter(([name]) => name && !description.includes(`\`${name}\``)) : [];
  return (
    <summary>
      <span class={`tone ${isError ? 'bad' : 'good'}`}>{status}</span>{' '}
      <span>
        <Inline text={description} />
      </span>{' '}
      {codes.length > 0 && (
        <span class="row small muted">
          {codes.map(([name]) => (
            <code>{name}</code>
          ))}
        </span>
      )}
    </summary>
  );
}

function Content({ status, response }: ResponseProps) {
  const api = useDescription();
  const { content, headers } = response;
  return (
    <>
      <Body content={content} />
      <Headers headers={headers} />
      {isErrorStatus(status) &&
        getResponseExamples(api, status, response).map(([code, { summary = '' }]) => (
          <ProblemLine key={code} code={code} summary={summary} />
        ))}
      {!content && !headers && <p>No body.</p>}
    </>
  );
}

function Headers({ headers = {} }: { readonly headers?: Json }) {
  const api = useDescription();
  const rows = Object.entries<Json>({ ...getSharedHeaders(api), ...headers }).map(([label, header]) => {
    const { required, deprecated, ...rest } = resolve(api, header);
    return { label, required, deprecated, schema: described(rest) };
  });
  if (rows.length === 0) return null;
  return (
    <>
      <p class="small muted">Headers</p>
      <MemberList rows={rows} label="Headers" />
    </>
  );
}

interface ProblemLineProps {
  readonly code: string;
  readonly summary: string;
}

/** A code of an error, with a link to its documentation. */
function ProblemLine({ code, summary }: ProblemLineProps) {
  if (code === '') return null;
  return (
    <p class="problem">
      <a href={`${basePath}/docs/problems#${encodeURIComponent(code)}`}>
        <code>{code}</code>
      </a>{' '}
      <Inline text={summary} />
    </p>
  );
}
