/** Applications to which people sign in. */
import type { Application } from '../../common/api-types.ts';
import { ViewHeading } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { Empty } from '../list/empty.tsx';
import { RecordList } from '../records/record-list.tsx';
import type { Column } from '../records/record-table.tsx';
import { usePages } from '../records/use-pages.ts';
import { may } from '../permissions.ts';
import { API_PATH, APPLICATIONS, KINDS } from './record.ts';
import { CreateApplication } from './create-application.tsx';

const COLUMNS: readonly Column<Application>[] = [
  { title: 'Name', isMain: true, render: ({ name }) => <bdi>{name}</bdi> },
  { title: 'Kind', render: ({ kind }) => KINDS[kind] },
  {
    title: 'Redirect URI',
    class: 'grow',
    getHint: ({ redirect_uris }) => redirect_uris.join('\n'),
    render: ({ redirect_uris }) => <code>{redirect_uris.join(', ')}</code>,
  },
  { title: 'Created', class: 'wide', render: ({ created_at }) => <ShortTime at={created_at} /> },
  {
    title: 'Secret',
    class: 'state-cell',
    render: ({ kind, previous_until }) => {
      if (previous_until !== null) return <span class="badge warn">Two secrets</span>;
      return kind === 'public' ? null : <span class="badge usual">One secret</span>;
    },
  },
];

export function Applications() {
  const pages = usePages<Application>(API_PATH);
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Applications">Applications</ViewHeading>
          <p class="context">Programs of yours to which people sign in with this service.</p>
        </div>
        {may('applications:write') && <CreateApplication onCreated={pages.reload} />}
      </div>
      <RecordList
        label="Applications"
        nouns={['application', 'applications']}
        pages={pages}
        columns={COLUMNS}
        to={({ id }) => `${APPLICATIONS}/${id}`}
        empty={
          <Empty
            icon="window"
            title="No applications yet"
            action={may('applications:write') ? 'Create application' : null}
            docs="/docs/oidc"
          >
            An application is a program of yours to which people sign in with this service, by OpenID Connect.
          </Empty>
        }
      />
    </>
  );
}
