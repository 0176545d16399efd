/** One group: who is in it, and what it opens. */
import { useMemo, useState } from 'preact/hooks';
import type { Group, User } from '../../common/api-types.ts';
import { PageHead, Panel } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { applications } from '../applications/record.ts';
import { searchField } from '../records/filter-fields.tsx';
import { createFilters, Filters, isFiltered } from '../records/filters.tsx';
import { type RecordAction, RecordActions } from '../records/record-actions.tsx';
import { BackLink, recordView } from '../records/record-page.tsx';
import type { Column } from '../records/record-table.tsx';
import { RemovableList } from '../records/removable-list.tsx';
import type { PageSection } from '../records/requests.ts';
import { usePages } from '../records/use-pages.ts';
import { may } from '../session.ts';
import { DEFAULT_SORT } from '../users/columns.tsx';
import { StateBadge, toLabel, toName, users } from '../users/record.tsx';
import { AddMembers, ChangeGroup, DeleteGroup, RemoveMembers } from './dialogs.tsx';
import { groups, useGroupApplications, useMemberCount } from './record.ts';

const ACTIONS: readonly RecordAction<Group>[] = [
  { label: 'Add people…', class: 'primary', Dialog: AddMembers },
  { label: 'Change…', Dialog: ChangeGroup },
];
const MENU: readonly RecordAction<Group>[] = [
  { label: 'Delete group…', class: 'plain danger', Dialog: DeleteGroup },
];

export const GroupView = recordView(groups, Page);

function Page(section: PageSection<Group>) {
  const { record: group, revision } = section;
  const members = useMemberCount(group, revision);
  return (
    <>
      <PageHead
        title={group.title}
        back={<BackLink {...groups.list} />}
        context={
          <>
            <code>{group.name}</code> · {members} · created <ShortTime at={group.created_at} />
          </>
        }
      >
        {may('groups:write') && <RecordActions {...section} actions={ACTIONS} menu={MENU} />}
      </PageHead>
      <div class="columns aside">
        <Members {...section} />
        {may('applications:read') && <Opened group={group} />}
      </div>
    </>
  );
}

const COLUMNS: readonly Column<User>[] = [
  {
    title: 'Name',
    isMain: true,
    class: 'grow',
    render: (user) => <bdi>{toName(user)}</bdi>,
  },
  {
    title: 'Email',
    class: 'grow',
    render: ({ email }) => email && <bdi>{email}</bdi>,
  },
  // Not `state-cell`: the action has that place on a card.
  { title: 'State', render: ({ state }) => <StateBadge state={state} /> },
];

function useMembers(group: Group, revision: number) {
  const createSearch = () =>
    createFilters(groups.link(group.id), [
      searchField('search', { label: 'Search members', placeholder: 'Part of a name or email' }),
    ]);
  const filters = useMemo(createSearch, [group.id]);
  const filter = filters.read();
  const parameters = { ...filter, group: group.name, sort: DEFAULT_SORT, limit: '50' };
  const pages = usePages<User>(users.path, parameters, revision);
  return { filters, filter, pages };
}

function Members({ record: group, revision, onChange }: PageSection<Group>) {
  const [removed, setRemoved] = useState<readonly User[] | null>(null);
  const { filters, filter, pages } = useMembers(group, revision);
  const none = isFiltered(filter) ? 'No member matches the search.' : 'Nobody is in this group yet.';
  const heading = useKeptFocus<HTMLHeadingElement>(pages.shown?.items.length);
  return (
    <Panel title="Members" id="members" heading={heading} beside={<Filters filters={filters} />}>
      <RemovableList
        label="Members of the group"
        nouns={['member', 'members']}
        pages={pages}
        columns={COLUMNS}
        to={({ id }) => `/console/users/${id}`}
        empty={none}
        verb="Remove"
        getName={toLabel}
        isChangeable={may('groups:write')}
        onRemove={setRemoved}
      />
      {removed && (
        <RemoveMembers group={group} users={removed} onChange={onChange} onClose={() => setRemoved(null)} />
      )}
    </Panel>
  );
}

/** The applications that are limited to groups, this one among them. */
function Opened({ group }: { readonly group: Group }) {
  const opened = useGroupApplications()(group);
  return (
    <Panel title="Applications that it opens" id="opened" body="stack tight">
      {opened.length === 0 && (
        <p class="small">
          None. Choose the group under <i>Who may sign in</i> on the page of an application.
        </p>
      )}
      {opened.map(({ id, name }) => (
        <Link key={id} to={applications.link(id)}>
          <bdi>{name}</bdi>
        </Link>
      ))}
    </Panel>
  );
}
