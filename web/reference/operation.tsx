/** The section of an operation. */
import { ACCESS_TEXTS, type Json, type Operation } from './description.ts';
import { Examples } from './examples.tsx';
import { Body, MemberList } from './members.tsx';
import { Badge, Breakable, Mark, Prose } from './prose.tsx';
import { Responses } from './responses.tsx';
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
