/** Tables of members, parameters and headers. */
import { useDescription } from '../description/description.ts';
import { getLimits, type Row } from '../description/members.ts';
import { type Json, toShape, typeName } from '../description/schema.ts';
import { Breakable, Mark, Prose } from '../prose.tsx';

interface MemberTableProps {
  readonly rows: readonly Row[];
  readonly caption: string;
  /** Heading of the first column. */
  readonly first: string;
}

/** Explicit, because browsers drop the roles of a table that the style sheet lays out as blocks on narrow screens. */
const ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  name: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;

export function MemberTable({ rows, caption, first }: MemberTableProps) {
  return (
    <table {...ROLES.table}>
      <caption>{caption}</caption>
      <thead {...ROLES.group}>
        <tr {...ROLES.row}>
          {[first, 'Type', 'Description'].map((text) => (
            <th scope="col" {...ROLES.head}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...ROLES.group}>
        {rows.map((row) => (
          <MemberRow {...row} />
        ))}
      </tbody>
    </table>
  );
}

function MemberRow({ label, schema, required, place, deprecated }: Row) {
  const api = useDescription();
  const shape = toShape(api, schema);
  const isDeprecated = deprecated ?? shape.deprecated;
  const name = (
    <code>
      <Breakable path={label} />
    </code>
  );
  return (
    <tr {...ROLES.row} class={isDeprecated ? 'deprecated' : 'current'}>
      <th scope="row" {...ROLES.name}>
        {isDeprecated ? <s>{name}</s> : name}
        <Mark text={place} />
        <Mark text={required && 'required'} kind="required" />
        <Mark text={isDeprecated && 'deprecated'} kind="deprecated" />
      </th>
      <td {...ROLES.cell}>
        <span class="type">{typeName(api, schema)}</span>
        <Limits schema={schema} />
      </td>
      <td {...ROLES.cell}>
        <Prose text={shape.description} />
      </td>
    </tr>
  );
}

/** The constraints of a value. */
export function Limits({ schema }: { readonly schema: Json }) {
  const limits = getLimits(useDescription(), schema);
  if (limits.length === 0) return null;
  return (
    <ul class="limits">
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
