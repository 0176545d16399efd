/** The browsers in which the user is signed in on the pages of the service. */
import { useState } from 'preact/hooks';
import type { UserSession } from '../../common/api-types.ts';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { RecordList } from '../records/record-list.tsx';
import type { Column } from '../records/record-table.tsx';
import { usePages } from '../records/use-pages.ts';
import { mayChange } from '../permissions.ts';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { toLabel, userPath } from '../users/record.tsx';
import type { UserSection } from './user-section.ts';

const toBrowser = ({ device }: UserSession) => device ?? 'Unknown browser';

const COLUMNS: readonly Column<UserSession>[] = [
  { title: 'Browser', isMain: true, render: (session) => <bdi>{toBrowser(session)}</bdi> },
  { title: 'Network', render: ({ network }) => network && <bdi>{network}</bdi> },
  { title: 'Last used', render: ({ last_used_at }) => <ShortTime at={last_used_at} /> },
  { title: 'Signed in', class: 'wide', render: ({ created_at }) => <ShortTime at={created_at} /> },
  { title: 'Ends', render: ({ expires_at }) => <ShortTime at={expires_at} /> },
];

export function Sessions(section: UserSection) {
  const { user, revision, onChange } = section;
  const path = `${userPath(user.id)}/sessions`;
  const pages = usePages<UserSession>(path, {}, revision);
  const [ended, setEnded] = useState<UserSession | null>(null);
  const sessions = pages.shown?.items;
  const heading = useKeptFocus<HTMLHeadingElement>(sessions?.length);
  const end = async () => {
    await request(`${path}/${ended!.id}`, { method: 'DELETE' });
    announce(`${toLabel(user)} is signed out of ${toBrowser(ended!)}.`);
    onChange();
    setEnded(null);
  };
  return (
    <section class="panel" aria-labelledby="sessions">
      <header>
        <h2 id="sessions" ref={heading} tabIndex={-1}>
          Browsers
        </h2>
      </header>
      <RecordList
        label="Sessions of the user"
        nouns={['session', 'sessions']}
        pages={pages}
        columns={listColumns(user, setEnded)}
        isInPanel
        empty={<p>No browser is signed in to the pages of this service.</p>}
      />
      {ended && (
        <ConfirmDialog
          title={`Sign ${toLabel(user)} out of ${toBrowser(ended)}?`}
          verb="Sign out"
          failure="The session was not ended"
          onConfirm={end}
          onClose={() => setEnded(null)}
        >
          <p>Tokens that applications got in this session are revoked, too. The user can sign in again.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function listColumns(
  user: UserSection['user'],
  onEnd: (session: UserSession) => void,
): readonly Column<UserSession>[] {
  if (!mayChange(user, 'tokens:write')) return COLUMNS;
  const render = (session: UserSession) => (
    <button
      type="button"
      class="compact plain"
      aria-label={`Sign out of ${toBrowser(session)}`}
      onClick={() => onEnd(session)}
    >
      Sign out…
    </button>
  );
  return [...COLUMNS, { title: 'Action', class: 'num state-cell', render }];
}
