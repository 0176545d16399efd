/** Finds a user by a part of the name or email. */
import { useRef, useState } from 'preact/hooks';
import type { User, UserList } from '../../common/api-types.ts';
import { LoadState } from '../../common/panel.tsx';
import { withQuery } from '../../common/router.tsx';
import { useView } from '../session.ts';
import { DEFAULT_SORT } from './columns.tsx';
import { toName } from './record.tsx';

interface FoundUsersProps {
  readonly isOffered: (user: User) => boolean;
  readonly onFound: (user: User) => void;
}

interface UserSearchProps extends FoundUsersProps {
  readonly label: string;
  /** What is searched first. */
  readonly initial?: string;
}

export function UserSearch({ label, initial = '', isOffered, onFound }: UserSearchProps) {
  const [text, setText] = useState(initial);
  const field = useRef<HTMLInputElement>(null);
  const search = text.trim();
  // The button that was pressed is gone.
  const find = (user: User) => {
    setText('');
    field.current?.focus();
    onFound(user);
  };
  return (
    <>
      <label>
        {label}
        <input
          ref={field}
          value={text}
          maxLength={255}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {search !== '' && <FoundUsers search={search} isOffered={isOffered} onFound={find} />}
    </>
  );
}

function FoundUsers({ search, isOffered, onFound }: FoundUsersProps & { readonly search: string }) {
  const path = withQuery('/api/v1/users', { search, limit: '8', sort: DEFAULT_SORT });
  const [loaded, retry] = useView<UserList>(path);
  const found = loaded.data?.data.filter(isOffered);
  return (
    <div class="menu" aria-live="polite">
      {found?.length === 0 && <p class="muted">No other user is found.</p>}
      {found?.map((each) => (
        <button key={each.id} type="button" class="plain" onClick={() => onFound(each)}>
          <bdi translate={false}>{toName(each)}</bdi>
          {each.name && each.email && (
            <bdi translate={false} class="muted">
              {each.email}
            </bdi>
          )}
        </button>
      ))}
      <LoadState loaded={loaded} what="the users" retry={retry} />
    </div>
  );
}
