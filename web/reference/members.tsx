/** Lists of members, parameters and headers, and the bodies that have them. */
import type { Json } from './description.ts';
import { Breakable, Mark, Prose } from './prose.tsx';
import { formatType, getLimits, listMembers, type Member } from './schema.ts';

/** Media type, type and members of a body. */
export function Body({ content }: { readonly content: Json }) {
  const [[type, { schema }] = [], ...others] = Object.entries<Json>(content);
  const members = listMembers(schema);
  return (
    <>
      <p class="small muted">
        <code>{type}</code>
        {' · '}
        <code>{formatType(schema)}</code>
        {others.map(([other]) => (
          <>
            {' also as '}
            <code>{other}</code>
          </>
        ))}
      </p>
      {members.length > 0 ? <MemberList label="Members" members={members} /> : <Limits schema={schema} />}
    </>
  );
}

export function MemberList({ label, members }: Readonly<{ label: string; members: readonly Member[] }>) {
  return (
    <ul class="members" aria-label={label}>
      {members.map(renderMember)}
    </ul>
  );
}

function renderMember({ label, schema, isRequired, place }: Member) {
  const name = (
    <code class="name">
      <Breakable path={label} />
    </code>
  );
  return (
    <li>
      {schema.deprecated ? <s>{name}</s> : name}
      <Mark text={place} />
      <Mark text={isRequired && 'required'} tone="bad" />
      <Mark text={schema.deprecated && 'deprecated'} tone="warn" />{' '}
      <code class="muted">{formatType(schema)}</code>
      <Limits schema={schema} />
      <Prose text={schema.description} />
    </li>
  );
}

/** The constraints of a value. */
function Limits({ schema }: { readonly schema: Json }) {
  const limits = getLimits(schema);
  if (limits.length === 0) return null;
  return (
    <ul class="muted">
      {limits.map((limit) => (
        <li>{limit}</li>
      ))}
    </ul>
  );
}
