/** The named credentials of people and programs. */
import { useState } from 'preact/hooks';
import type { Credential } from '../../common/api-types.ts';
import { Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { useView } from '../session.ts';
import { CreateCredential } from './create-credential.tsx';
import { API_PATH, formatScopes, isExpired } from './credential-record.tsx';
import { ResetTotpDialog } from './reset-totp-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

interface OpenDialog {
  readonly action: 'rotate' | 'revoke' | 'reset-totp';
  readonly credential: Credential;
}

export function Credentials() {
  const [loaded, retry] = useView<{ data: readonly Credential[] }>(API_PATH);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const credentials = loaded.data?.data;
  const panel = useKeptFocus<HTMLDivElement>(credentials?.length);
  const dialog = { onChange: retry, onClose: () => setOpen(null) };
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Credentials">Credentials</ViewHeading>
          <p class="context">
            Of people and programs that administer the service. ADMIN_TOKEN, a setting, is not among them.
          </p>
        </div>
        <CreateCredential onCreated={retry} />
      </div>
      {loaded.state === 'failed' && (
        <Failure what="The credentials could not be loaded" error={loaded.error} retry={retry} />
      )}
      {loaded.state === 'loading' && credentials === undefined && <Loading what="the credentials" isTable />}
      {credentials !== undefined && (
        <div class="panel" tabIndex={-1} ref={panel}>
          {credentials.length === 0 ? (
            <p class="empty">
              There are no named credentials yet. Create one for each person and program, with no more scopes
              than it needs.
            </p>
          ) : (
            <CredentialTable credentials={credentials} onOpen={setOpen} />
          )}
        </div>
      )}
      {open?.action === 'rotate' && <RotateDialog {...dialog} credential={open.credential} />}
      {open?.action === 'reset-totp' && <ResetTotpDialog {...dialog} credential={open.credential} />}
      {open?.action === 'revoke' && <RevokeDialog {...dialog} credential={open.credential} />}
    </>
  );
}

const COLUMNS = ['Name', 'Scopes', 'Networks', 'Expires', 'Last used', 'Actions'];

interface CredentialTableProps {
  readonly credentials: readonly Credential[];
  readonly onOpen: (dialog: OpenDialog) => void;
}

function CredentialTable({ credentials, onOpen }: CredentialTableProps) {
  return (
    <table class="records cards" aria-label="Credentials">
      <thead>
        <tr>
          {COLUMNS.map((title) => (
            <th key={title} scope="col" class={title === 'Actions' ? 'num' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {credentials.map((credential) => (
          <CredentialRow key={credential.id} credential={credential} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}

interface CredentialRowProps extends Pick<CredentialTableProps, 'onOpen'> {
  readonly credential: Credential;
}

function CredentialRow({ credential, onOpen }: CredentialRowProps) {
  const { name, first_characters, scopes, networks, expires_at, last_used_at, current, totp_enabled_at } =
    credential;
  return (
    <tr>
      <td class="main-cell">
        <bdi>{name}</bdi> <code class="begin">{first_characters}…</code>{' '}
        {current && <span class="badge usual">You</span>}
        {totp_enabled_at !== null && <span class="badge">Two-step</span>}
      </td>
      <td class="grow" data-label="Scopes" title={scopes.join(', ')}>
        {formatScopes(credential)}
      </td>
      <td class="grow" data-label="Networks" title={networks?.join(', ')}>
        {networks?.join(', ') ?? 'All'}
      </td>
      <td data-label="Expires">
        {isExpired(credential) ? (
          <span class="badge bad">Expired</span>
        ) : (
          <ShortTime at={expires_at} otherwise="Never" />
        )}
      </td>
      <td data-label="Last used">
        <ShortTime at={last_used_at} otherwise="Never" />
      </td>
      <td class="num state-cell">
        <Actions credential={credential} onOpen={onOpen} />
      </td>
    </tr>
  );
}

function Actions({ credential, onOpen }: CredentialRowProps) {
  const { name, current, totp_enabled_at } = credential;
  return (
    <>
      {totp_enabled_at !== null && !current && (
        <button
          type="button"
          class="compact plain"
          aria-label={`Reset two-step sign-in of ${name}`}
          onClick={() => onOpen({ action: 'reset-totp', credential })}
        >
          Reset two-step…
        </button>
      )}
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
