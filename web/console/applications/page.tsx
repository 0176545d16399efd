/** Applications to which people sign in. */
import type { Application, NewApplication } from '../../common/api-types.ts';
import { PageHead } from '../../common/components.tsx';
import { CloseButton } from '../../common/dialog.tsx';
import { ShortTime } from '../../common/time.tsx';
import { CreateRecord } from '../records/create-record.tsx';
import { type Column, Empty, RecordList, usePages } from '../records/record-list.tsx';
import { Secret } from '../records/secret.tsx';
import { may } from '../session.ts';
import { APPLICATION_FORM } from './form.tsx';
import { applications, KINDS, SECRET } from './record.ts';

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
  const pages = usePages<Application>(applications.path);
  return (
    <>
      <PageHead title="Applications" context="Programs of yours to which people sign in with this service.">
        {may('applications:write') && <CreateApplication onCreated={pages.reload} />}
      </PageHead>
      <RecordList
        nouns={['application', 'applications']}
        pages={pages}
        columns={COLUMNS}
        to={({ id }) => applications.link(id)}
        empty={
          <Empty
            icon="window"
            title="No applications yet"
            action={may('applications:write') ? applications.creation : null}
            docs="/docs/oidc"
          >
            An application is a program of yours to which people sign in with this service, by OpenID Connect.
          </Empty>
        }
      />
    </>
  );
}

function CreateApplication({ onCreated }: { readonly onCreated: () => void }) {
  return (
    <CreateRecord
      records={applications}
      form={APPLICATION_FORM}
      getTitle={({ name, client_secret }: NewApplication) =>
        client_secret ? `The secret of ${name}` : `${name} was created`
      }
      result={(created, onClose) => <Created application={created} onClose={onClose} />}
      canEscape={({ client_secret }) => client_secret === null}
      onCreated={onCreated}
      getMessage={({ name }) =>
        `The application ${name} was created. Its page has the settings for your program.`
      }
      next="page"
    />
  );
}

interface CreatedProps {
  readonly application: NewApplication;
  readonly onClose: () => void;
}

function Created({ application: { client_secret }, onClose }: CreatedProps) {
  if (client_secret !== null) return <Secret {...SECRET} secret={client_secret} onClose={onClose} />;
  return (
    <>
      <p>It has no secret: programs that people have in their hands could not keep one.</p>
      <CloseButton onClose={onClose} />
    </>
  );
}
