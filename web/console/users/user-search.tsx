/** Finds users by a part of the name or email. */
import { useRef, useState } from 'preact/hooks';
import type { User } from '../../common/api-types.ts';
import { Button, Failure } from '../../common/components.tsx';
import { Labelled } from '../../common/form.tsx';
import { Link, withQuery } from '../../common/router.tsx';
import { useData } from '../session.ts';
import { DEFAULT_SORT } from './columns.tsx';
import { toName, users } from './record.tsx';

/** What follows the choice of a user: a view, or a call. */
interface Choosing {
  readonly to?: ((id: string) => string) | undefined;
  readonly onFound?: (user: User) => void;
  readonly isOffered?: ((user: User) => boolean) | undefined;
}

interface FoundUsersProps extends Choosing {
  readonly filter: Readonly<Record<string, string>>;
  /** Shown without any. */
  readonly children?: string;
}

const SHOWN = '8';

/** The first users of a filter. */
export function FoundUsers({ filter, to, onFound, isOffered = () => true, children }: FoundUsersProps) {
  const [loaded, retry] = useData<readonly User[]>(withQuery(users.path, { ...filter, limit: SHOWN }));
  if (loaded.state === 'failed')
    return <Failure what="The users could not be loaded" error={loaded.error} retry={retry} />;
  const found = loaded.data?.filter(isOffered);
  return (
    <div class="menu">
      {found?.length === 0 && children && <p class="muted">{children}</p>}
      {found?.map((user) =>
        to ? (
          <Link key={user.id} class="button plain compact" to={to(user.id)}>
            <Names user={user} />
          </Link>
        ) : (
          <Button key={user.id} class="plain" onClick={() => onFound?.(user)}>
            <Names user={user} />
          </Button>
        ),
      )}
    </div>
  );
}

function Names({ user }: { readonly user: User }) {
  return (
    <>
      <bdi>{toName(user)}</bdi>
      {user.name && user.email && <bdi class="muted">{user.email}</bdi>}
    </>
  );
}

interface UserSearchProps extends Choosing {
  readonly label: string;
  readonly hint?: string;
  /** What is searched first. */
  readonly initial?: string;
}

export function UserSearch({ label, hint, initial = '', onFound, ...choosing }: UserSearchProps) {
  const [text, setText] = useState(initial);
  const field = useRef<HTMLInputElement>(null);
  const search = text.trim();
  // The button that was pressed is gone.
  const find = (user: User) => {
    setText('');
    field.current?.focus();
    onFound?.(user);
  };
  return (
    <>
      <Labelled label={label} hint={hint}>
        {(attributes) => (
          <input
            {...attributes}
            ref={field}
            value={text}
            maxLength={255}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Labelled>
      {search !== '' && (
        <div aria-live="polite">
          <FoundUsers {...choosing} filter={{ search, sort: DEFAULT_SORT }} onFound={find}>
            No user is found.
          </FoundUsers>
        </div>
      )}
    </>
  );
}
