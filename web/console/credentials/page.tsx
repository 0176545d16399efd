/** The named credentials of programs. */
import { useState } from 'preact/hooks';
import type { Credential } from '../../common/api-types.ts';
import { ViewHeading } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { RecordList } from '../records/record-list.tsx';
import type { Column } from '../records/record-table.tsx';
import { usePages } from '../records/use-pages.ts';
import { CreateCredential } from './create-credential.tsx';
import { API_PATH, formatScopes, isExpired } from './record.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

interface OpenDialog {
  readonly action: 'rotate' | 'revoke';
  readonly credential: Credential;
}

const COLUMNS: readonly Column<Credential>[] = [
  {
    title: 'Name',
    isMain: true,
    render: ({ name, first_characters, totp_enabled_at }) => (
      <>
        <bdi>{name}</bdi> <code class="begin">{first_characters}…</code>{' '}
        {totp_enabled_at !== null && <span class="badge bad">Not accepted: of a person</span>}
      </>
    ),
  },
  { title: 'May', class: 'grow', getHint: ({ scopes }) => scopes.join(', '), render: formatScopes },
  {
    title: 'Networks',
    class: 'grow',
    getHint: ({ networks }) => networks?.join(', '),
    render: ({ networks }) => networks?.join(', ') ?? 'All',
  },
  {
    title: 'Expires',
    render: (credential) =>
      isExpired(credential) ? (
        <span class="badge bad">Expired</span>
      ) : (
        <ShortTime at={credential.expires_at} otherwise="Never" />
      ),
  },
  { title: 'Last used', render: ({ last_used_at }) => <ShortTime at={last_used_at} otherwise="Never" /> },
];

export function Credentials() {
  const pages = usePages<Credential>(API_PATH);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const dialog = { onChange: pages.reload, onClose: () => setOpen(null) };
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Credentials">Credentials</ViewHeading>
          <p class="context">Of programs. People sign in with their account and a role.</p>
        </div>
        <CreateCredential onCreated={pages.reload} />
      </div>
      <RecordList
        label="Credentials"
        nouns={['credential', 'credentials']}
        pages={pages}
        columns={[
          ...COLUMNS,
          {
            title: 'Actions',
            class: 'num state-cell',
            render: (credential) => <Actions credential={credential} onOpen={setOpen} />,
          },
        ]}
        empty={
          <p class="empty">
            There are no named credentials yet. Create one for each program, with no more scopes than it
            needs.
          </p>
        }
      />
      {open?.action === 'rotate' && <RotateDialog {...dialog} credential={open.credential} />}
      {open?.action === 'revoke' && <RevokeDialog {...dialog} credential={open.credential} />}
    </>
  );
}

interface ActionsProps {
  readonly credential: Credential;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function Actions({ credential, onOpen }: ActionsProps) {
  const { name } = credential;
  return (
    <>
      <button
        type="button"
        class="compact plain"
        aria-label={`Rotate ${name}`}
        disabled={isExpired(credential)}
        onClick={() => onOpen({ action: 'rotate', credential })}
      >
        Rotate…
      </button>
      <button
        type="button"
        class="compact plain"
        aria-label={`Revoke ${name}`}
        onClick={() => onOpen({ action: 'revoke', credential })}
      >
        Revoke…
      </button>
    </>
  );
}
