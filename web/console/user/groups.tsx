/** The groups of the user. */
import { useState } from 'preact/hooks';
import type { Group } from '../../common/api-types.ts';
import { Button, LoadState, Panel } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { AddToGroup, RemoveMembers } from '../groups/dialogs.tsx';
import { groups, useGroups } from '../groups/record.ts';
import { may } from '../session.ts';
import type { UserSection } from '../users/record.tsx';

/** Nothing while the service has no groups. */
export function UserGroups({ record: user, onChange }: UserSection) {
  const [loaded, retry] = useGroups();
  const [open, setOpen] = useState<'add' | Group | null>(null);
  const all = loaded.data ?? [];
  const own = all.filter(({ name }) => user.groups.includes(name));
  const heading = useKeptFocus<HTMLHeadingElement>(own.length);
  if (loaded.state !== 'failed' && all.length === 0) return null;
  const dialog = { users: [user], onChange, onClose: () => setOpen(null) };
  const add = <Button text="Add to a group…" class="compact end" onClick={() => setOpen('add')} />;
  return (
    <Panel
      title="Groups"
      id="groups"
      heading={heading}
      beside={may('groups:write') && add}
      body="stack tight"
    >
      {own.length === 0 && <p class="small">The user is in no group.</p>}
      {own.map((group) => (
        <div key={group.id} class="row">
          <Link to={groups.link(group.id)}>
            <bdi>{group.title}</bdi>
          </Link>
          {may('groups:write') && (
            <Button
              text="Remove…"
              class="link"
              aria-label={`Remove from ${group.title}`}
              onClick={() => setOpen(group)}
            />
          )}
        </div>
      ))}
      <LoadState loaded={loaded} what="the groups" retry={retry} />
      {open === 'add' && <AddToGroup {...dialog} />}
      {open !== null && open !== 'add' && <RemoveMembers {...dialog} group={open} />}
    </Panel>
  );
}
