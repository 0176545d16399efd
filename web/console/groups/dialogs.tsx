/** The dialogs that change groups and their members. */
import { useState } from 'preact/hooks';
import { ApiError } from '../../common/api.ts';
import type { Application, Group, User } from '../../common/api-types.ts';
import { Button, LoadState } from '../../common/components.tsx';
import { CloseButton, Dialog } from '../../common/dialog.tsx';
import { ActionForm, DialogButtons, useAction } from '../../common/form.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link } from '../../common/router.tsx';
import { ConfirmAction, type RecordDialogProps } from '../records/record-actions.tsx';
import { EditRecord, FormDialog, type RecordForm } from '../records/record-form.tsx';
import { type Selected, toggleSelected } from '../records/selection.tsx';
import { announce } from '../status.tsx';
import { usersText } from '../users/bulk/actions.ts';
import { toLabel, toName } from '../users/record.tsx';
import { UserSearch } from '../users/user-search.tsx';
import {
  changeMembers,
  GROUP_FORM,
  groups,
  useGroupApplications,
  useGroups,
  useMemberCount,
} from './record.ts';

type GroupDialog = RecordDialogProps<Group>;

const nameUsers = (users: readonly User[]) =>
  users.length === 1 ? toLabel(users[0]!) : usersText(users.length);

export function ChangeGroup(dialog: GroupDialog) {
  const { title } = dialog.record;
  return (
    <EditRecord
      {...dialog}
      records={groups}
      form={GROUP_FORM}
      title={`Change ${title}`}
      done="The group was saved."
    />
  );
}

/** What people lose with a group. */
function Loss({ applications, who }: Readonly<{ applications: readonly Application[]; who: string }>) {
  if (applications.length === 0) return <p>No application is limited to this group. Accounts stay.</p>;
  return (
    <>
      <p>{who} signed out at once, and cannot sign in again unless another group is allowed:</p>
      <ul class="bullets">
        {applications.map(({ id, name }) => (
          <li key={id}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <p>Accounts stay.</p>
    </>
  );
}

export function DeleteGroup(dialog: GroupDialog) {
  const { title } = dialog.record;
  const members = useMemberCount(dialog.record);
  const opened = useGroupApplications()(dialog.record);
  const only = opened.filter(({ allowed_groups }) => allowed_groups?.length === 1);
  return (
    <ConfirmAction
      {...dialog}
      title={`Delete ${title}?`}
      verb="Delete group"
      failure="The group was not deleted"
      act={() => groups.remove(dialog)}
      done={`The group ${title} was deleted.`}
      to={groups.page}
    >
      <p>The group has {members}.</p>
      <Loss applications={opened} who="Of these applications, they are" />
      {only.length > 0 && (
        <p>
          Nobody can sign in to {only.map(({ name }) => name).join(', ')} until you allow another group or
          everybody.
        </p>
      )}
      <p>This cannot be undone.</p>
    </ConfirmAction>
  );
}

interface MembersProps {
  readonly users: readonly User[];
  readonly onChange: () => void;
  readonly onClose: () => void;
}

export function RemoveMembers({ group, users, ...dialog }: MembersProps & { readonly group: Group }) {
  const who = nameUsers(users);
  const opened = useGroupApplications()(group);
  const remove = () => changeMembers(group, 'remove', users).finally(dialog.onChange);
  return (
    <ConfirmAction
      {...dialog}
      title={`Remove ${who} from ${group.title}?`}
      verb={`Remove ${users.length === 1 ? 'from the group' : usersText(users.length)}`}
      failure="Not everybody was removed"
      act={remove}
      done={`${who} ${users.length === 1 ? 'is' : 'are'} not in ${group.title} any more.`}
    >
      <Loss
        applications={opened}
        who={`Of these applications, ${users.length === 1 ? 'the user is' : 'they are'}`}
      />
    </ConfirmAction>
  );
}

/** Finds people, as many as are to be added. */
export function AddMembers({ record: group, onChange, onClose }: GroupDialog) {
  const [chosen, setChosen] = useState<Selected<User>>(new Map());
  const action = useAction();
  const users = [...chosen.values()];
  const toggle = (user: User) => setChosen(toggleSelected(chosen, user));
  const add = async () => {
    if (users.length === 0) throw new ApiError(0, { error: 'Choose somebody first.', code: 'nobody' });
    await changeMembers(group, 'add', users).finally(onChange);
    announce(`${nameUsers(users)} ${users.length === 1 ? 'is' : 'are'} in ${group.title} now.`);
    onClose();
  };
  const isOffered = ({ id, groups: names }: User) => !chosen.has(id) && !names.includes(group.name);
  return (
    <Dialog title={`Add people to ${group.title}`} onClose={onClose}>
      <div class="stack tight">
        <UserSearch label="Name or email" isOffered={isOffered} onFound={toggle} />
        <ActionForm action={action} onSubmit={add} failure="Not everybody was added">
          <ul class="chips" aria-label="People to add">
            {users.map((user) => (
              <li key={user.id}>
                <Button class="compact chip" onClick={() => toggle(user)}>
                  <span class="visually-hidden">Leave out </span>
                  <bdi>{toName(user)}</bdi>
                  <Icon name="close" />
                </Button>
              </li>
            ))}
          </ul>
          <DialogButtons
            text={users.length === 0 ? 'Add people' : `Add ${usersText(users.length)}`}
            onClose={onClose}
            action={action}
          />
        </ActionForm>
      </div>
    </Dialog>
  );
}

/** Adds users to one of the groups in which not all of them are. */
export function AddToGroup({ users, onChange, onClose }: MembersProps) {
  const [loaded, retry] = useGroups();
  const title = `Add ${nameUsers(users)} to a group`;
  const offered = loaded.data?.filter(({ name }) => users.some((user) => !user.groups.includes(name)));
  if (offered === undefined || offered.length === 0)
    return (
      <Dialog title={title} onClose={onClose}>
        <LoadState loaded={loaded} what="the groups" retry={retry} />
        {offered && (
          <p>
            There is no group to add {users.length === 1 ? 'this user' : 'them'} to.{' '}
            <Link to={groups.page}>Open the groups</Link>
          </p>
        )}
        <CloseButton onClose={onClose} />
      </Dialog>
    );
  const form: RecordForm<null, { readonly group: string }> = {
    toTyped: () => ({ group: offered[0]!.id }),
    toBody: (typed) => typed,
    getFields: () => [
      { name: 'group', label: 'Group', options: offered.map((each) => [each.id, each.title]) },
    ],
  };
  const add = async (body: object) => {
    const group = offered.find(({ id }) => id === (body as { readonly group: string }).group)!;
    await changeMembers(group, 'add', users);
    return `${nameUsers(users)} ${users.length === 1 ? 'is' : 'are'} in ${group.title} now.`;
  };
  return (
    <FormDialog
      {...{ form, record: null, title, onChange, onClose }}
      verb="Add to the group"
      failure="Not everybody was added"
      act={add}
    />
  );
}
