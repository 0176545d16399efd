/** The named credentials of programs. */
import { ADMIN_SCOPES, type AdminScope } from '../../../src/callers/admin-scopes.ts';
import type { Credential } from '../../common/api-types.ts';
import { PageHead } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { CreateRecord } from '../records/create-record.tsx';
import { ConfirmAction, type RecordAction, type RecordDialogProps } from '../records/record-actions.tsx';
import { type Column, RecordList, usePages } from '../records/record-list.tsx';
import { createRecords } from '../records/requests.ts';
import { LAST_OVERLAP, RotateSecret, Secret, type SecretKind } from '../records/secret.tsx';
import { CREDENTIAL_FORM } from './form.tsx';

type CredentialWithSecret = Credential & { readonly credential: string };

const credentials = createRecords<Credential>('/api/v1/credentials', 'credential');
const SECRET: SecretKind = { label: 'Credential', purpose: 'The program sends it as a bearer token.' };

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
  {
    title: 'May',
    class: 'grow',
    getHint: ({ scopes }) => scopes.join(', '),
    render: ({ scopes }) =>
      scopes.map((scope) => ADMIN_SCOPES[scope as AdminScope]?.title ?? scope).join(', '),
  },
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

function isExpired({ expires_at }: Credential): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

const ACTIONS: readonly RecordAction<Credential>[] = [
  {
    label: 'Rotate…',
    getName: ({ name }) => `Rotate ${name}`,
    isDisabled: isExpired,
    Dialog: RotateDialog,
  },
  { label: 'Revoke…', getName: ({ name }) => `Revoke ${name}`, Dialog: RevokeDialog },
];

export function Credentials() {
  const pages = usePages<Credential>(credentials.path);
  return (
    <>
      <PageHead title="Credentials" context="Of programs. People sign in with their account and a role.">
        <CreateRecord
          records={credentials}
          form={CREDENTIAL_FORM}
          getTitle={({ name }: CredentialWithSecret) => `The credential ${name}`}
          result={({ credential }, onClose) => <Secret {...SECRET} secret={credential} onClose={onClose} />}
          onCreated={pages.reload}
          getMessage={({ name }) => `The credential ${name} was created.`}
        />
      </PageHead>
      <RecordList
        nouns={['credential', 'credentials']}
        pages={pages}
        columns={COLUMNS}
        actions={ACTIONS}
        empty="There are no named credentials yet. Create one for each program, with no more scopes than it needs."
      />
    </>
  );
}

function RotateDialog(dialog: RecordDialogProps<Credential>) {
  const { name, previous_until } = dialog.record;
  const verb = `Rotate ${name}`;
  const rotate = async (body: object) =>
    (await credentials.act<CredentialWithSecret>(dialog.record, 'rotate', body)).credential;
  return (
    <RotateSecret
      {...dialog}
      kind={SECRET}
      title={`${verb}?`}
      newTitle={`The new secret of ${name}`}
      failure="The credential was not rotated"
      verb={verb}
      rotate={rotate}
    >
      A new secret replaces the present one; name, scopes, networks and expiry stay.
      {previous_until !== null && LAST_OVERLAP}
    </RotateSecret>
  );
}

function RevokeDialog(dialog: RecordDialogProps<Credential>) {
  const { name } = dialog.record;
  return (
    <ConfirmAction
      {...dialog}
      title={`Revoke the credential “${name}”?`}
      verb="Revoke credential"
      failure="The credential was not revoked"
      act={() => credentials.remove(dialog)}
      done={`The credential ${name} was revoked.`}
    >
      <p>Every request with the credential is rejected from now on. This cannot be undone.</p>
    </ConfirmAction>
  );
}
