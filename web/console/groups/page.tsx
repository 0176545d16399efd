/** Groups of users. */
import type { Group, ListedGroup } from '../../common/api-types.ts';
import { formatCount, PageHead } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { CreateRecord } from '../records/create-record.tsx';
import { type Column, Empty, RecordList, usePages } from '../records/record-list.tsx';
import { may } from '../session.ts';
import { GROUP_FORM, groups, useGroupApplications } from './record.ts';

/** More are not counted in the list. */
const MAX_COUNTED = 1_000;

const COLUMNS: readonly Column<ListedGroup>[] = [
  {
    title: 'Title',
    isMain: true,
    class: 'grow',
    render: ({ title }) => <bdi>{title}</bdi>,
  },
  { title: 'Name', render: ({ name }) => <code>{name}</code> },
  {
    title: 'Members',
    class: 'num',
    render: ({ members }) => formatCount(members) + (members === MAX_COUNTED ? ' or more' : ''),
  },
];
const CREATED: Column<ListedGroup> = {
  title: 'Created',
  class: 'num wide',
  render: ({ created_at }) => <ShortTime at={created_at} />,
};

export function Groups() {
  const pages = usePages<ListedGroup>(groups.path);
  const findApplications = useGroupApplications();
  const toNames = (group: Group) =>
    findApplications(group)
      .map(({ name }) => name)
      .join(', ') || null;
  const opens: Column<ListedGroup> = {
    ...{ title: 'Applications that it opens', class: 'grow', getHint: toNames },
    render: (group) => <bdi>{toNames(group) ?? '–'}</bdi>,
  };
  return (
    <>
      <PageHead title="Groups" context="Who may use which application, and what programs read about people.">
        {may('groups:write') && <CreateGroup onCreated={pages.reload} />}
      </PageHead>
      <RecordList
        nouns={['group', 'groups']}
        pages={pages}
        columns={[...COLUMNS, ...(may('applications:read') ? [opens] : []), CREATED]}
        to={({ id }) => groups.link(id)}
        empty={
          <Empty
            icon="tag"
            title="No groups yet"
            action={may('groups:write') ? groups.creation : null}
            docs="/docs/console#let-a-group-use-an-application"
          >
            A group is a list of people. Limit an application to it, and nobody else can sign in there.
            Programs read the groups of a person in the claim <code>groups</code>.
          </Empty>
        }
      />
    </>
  );
}

function CreateGroup({ onCreated }: { readonly onCreated: () => void }) {
  return (
    <CreateRecord
      records={groups}
      form={GROUP_FORM}
      onCreated={onCreated}
      getMessage={({ title }: Group) => `The group ${title} was created. Add people to it.`}
      next="page"
    />
  );
}
