/** Lists of members, parameters and headers. */
import { useDescription } from '../description/description.ts';
import { getLimits, type Row } from '../description/members.ts';
import { type Json, toShape, typeName } from '../description/schema.ts';
import { Breakable, Mark, Prose } from '../prose.tsx';

interface MemberListProps {
  readonly rows: readonly Row[];
  readonly label: string;
}

export function MemberList({ rows, label }: MemberListProps) {
  return (
    <ul class="members" aria-label={label}>
      {rows.map((row) => (
        <Member {...row} />
      ))}
    </ul>
  );
}

function Member({ label, schema, required, place, deprecated }: Row) {
  const api = useDescription();
  const shape = toShape(api, schema);
  const isDeprecated = deprecated ?? shape.deprecated;
  const name = (
    <code class="name">
      <Breakable path={label} />
    </code>
  );
  return (
    <li>
      {isDeprecated ? <s>{name}</s> : name}
      <Mark text={place} />
      <Mark text={required && 'required'} tone="bad" />
      <Mark text={isDeprecated && 'deprecated'} tone="warn" />{' '}
      <code class="muted">{typeName(api, schema)}</code>
      <Limits schema={schema} />
      <Prose text={shape.description} />
    </li>
  );
}

/** The constraints of a value. */
export function Limits({ schema }: { readonly schema: Json }) {
  const limits = getLimits(useDescription(), schema);
  if (limits.length === 0) return null;
  return (
    <ul class="muted">
      {limits.map((limit) => (
        <li>{limit}</li>
      ))}
    </ul>
  );
}

/** Returns the schema of a parameter or header, with the description that OpenAPI puts beside the schema. */
export function described({ schema, description }: Json): Json {
  return description ? { ...schema, description } : (schema ?? {});
}
