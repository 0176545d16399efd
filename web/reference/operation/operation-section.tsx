/** The section of one operation. */
import { useDescription } from '../description/description.ts';
import { ACCESS_TEXTS, getName, type Operation } from '../description/operations.ts';
import { type Json, resolve } from '../description/schema.ts';
import { Badge, Breakable, Mark, Prose } from '../prose.tsx';
import { Examples } from '../try-out/examples.tsx';
import { Body } from './bodies.tsx';
import { described, MemberList } from './member-list.tsx';
import { Responses } from './responses.tsx';

interface OperationProps {
  readonly operation: Operation;
}

export function OperationSection({ operation }: OperationProps) {
  const { id, method, path, details } = operation;
  const [titleId, pathId] = [`title-of-${id}`, `path-of-${id}`];
  return (
    <section id={id} class="operation" tabIndex={-1} aria-labelledby={`${titleId} ${pathId}`}>
      <h3 id={titleId}>
        <a href={`#${id}`}>{getName(operation)}</a>
        <Mark text={details.deprecated && 'deprecated'} tone="warn" />
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
        <Responses responses={details.responses} />
      </div>
    </section>
  );
}

function AccessLine({ operation: { access, details } }: OperationProps) {
  const api = useDescription();
  const requirements = (details.security ?? api.security ?? []).flatMap((each: Json) => Object.entries(each));
  return (
    <p class="access small muted">
      Access: <strong>{ACCESS_TEXTS[access]}</strong>
      {requirements.map(([name, scopes]: [string, string[]]) => (
        <>
          {' · '}
          <code>{name}</code>
          {formatKind(resolve(api, api.components?.securitySchemes?.[name]))}
          {scopes.length > 0 && ` with scope ${scopes.join(', ')}`}
        </>
      ))}
    </p>
  );
}

function formatKind({ type, scheme }: Json): string {
  const kind = [type, scheme].filter(Boolean).join(' ');
  return kind && ` (${kind})`;
}

function Parameters({ operation: { details } }: OperationProps) {
  const rows = details.parameters.map((each: Json) => ({
    label: each.name,
    place: each.in,
    required: each.required,
    deprecated: each.deprecated,
    schema: described(each),
  }));
  if (rows.length === 0) return null;
  return (
    <>
      <h4>Parameters</h4>
      <MemberList rows={rows} label="Parameters" />
    </>
  );
}

function RequestBody({ operation: { details } }: OperationProps) {
  const api = useDescription();
  if (!details.requestBody) return null;
  const { required, description, content } = resolve(api, details.requestBody);
  return (
    <>
      <h4>
        Request body
        <Mark text={required && 'required'} tone="bad" />
      </h4>
      <Prose text={description} />
      <Body content={content} />
    </>
  );
}
