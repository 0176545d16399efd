/** The bodies of requests and responses. */
import { useDescription } from '../description/description.ts';
import { memberRows, uniqueRows } from '../description/members.ts';
import { type Json, typeName } from '../description/schema.ts';
import { Limits, MemberList } from './member-list.tsx';

/** Media type, type and members of a body. @param content media types of the body */
export function Body({ content = {} }: { readonly content?: Json }) {
  const api = useDescription();
  const [first, ...others] = Object.entries<Json>(content);
  if (first === undefined) return null;
  const [type, media] = first;
  const { schema } = media;
  const rows = uniqueRows(memberRows(api, schema));
  return (
    <>
      <p class="small muted">
        <code>{type}</code>
        {schema && (
          <>
            {' · '}
            <code>{typeName(api, schema)}</code>
          </>
        )}
        {others.map(([other]) => (
          <>
            {' also as '}
            <code>{other}</code>
          </>
        ))}
      </p>
      {rows.length > 0 ? <MemberList rows={rows} label="Members" /> : <Limits schema={schema} />}
    </>
  );
}
