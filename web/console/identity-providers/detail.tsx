/** An identity provider: what is registered there, its checks and its actions. */
import { useState } from 'preact/hooks';
import { Failure } from '../../common/components.tsx';
import { ConfirmDialog } from '../../common/confirm-dialog.tsx';
import { Dialog } from '../../common/dialog.tsx';
import { useAction } from '../../common/use-action.ts';
import { CopiedId } from '../list/copied-id.tsx';
import { Fact } from '../records/facts.tsx';
import { request } from '../session.ts';
import { announce } from '../status.tsx';
import { orReload } from '../user/user-section.ts';
import { ProviderChecks } from './checks.tsx';
import { ProviderForm } from './form.tsx';
import { changeProvider, ifMatch, type ProviderSection, providerPath } from './record.ts';

export function ProviderDetail(section: ProviderSection) {
  const { provider } = section;
  return (
    <div class="stack tight">
      <dl class="facts addresses">
        <Fact name="Redirect URI">
          <CopiedId id={provider.redirect_uri} name="redirect URI" />
        </Fact>
        <Fact name="Client id">
          <code>{provider.client_id}</code>
        </Fact>
        <Fact name="Scopes">
          <code>{provider.scopes.join(' ')}</code>
        </Fact>
      </dl>
      <ProviderChecks provider={provider} />
      <Actions {...section} />
    </div>
  );
}

function Actions(section: ProviderSection) {
  const { provider, onChange } = section;
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const switching = useAction();
  const dialog = { ...section, onClose: () => setOpen(null) };
  return (
    <>
      <div class="row">
        <button type="button" class="compact" onClick={() => setOpen('edit')}>
          Edit…
        </button>
        <button
          type="button"
          class="compact"
          aria-busy={switching.isBusy}
          onClick={() => switching.run(() => setEnabled(provider, !provider.enabled, onChange))}
        >
          {provider.enabled ? 'Turn off' : 'Turn on'}
        </button>
        <button type="button" class="compact danger" onClick={() => setOpen('delete')}>
          Delete…
        </button>
      </div>
      {switching.error && <Failure what="The provider was not changed" error={switching.error} />}
      {open === 'edit' && <EditDialog {...dialog} />}
      {open === 'delete' && <DeleteDialog {...dialog} />}
    </>
  );
}

/** Changes the state, and offers to undo the change. */
async function setEnabled(
  provider: ProviderSection['provider'],
  enabled: boolean,
  onChange: () => void,
): Promise<void> {
  const changed = await orReload(changeProvider(provider, { enabled }), onChange);
  const text = enabled ? 'was turned on.' : 'was turned off. Nobody can sign in with it.';
  announce(`${provider.name} ${text}`, { undo: () => setEnabled(changed, !enabled, onChange) });
  onChange();
}

type DialogProps = ProviderSection & { readonly onClose: () => void };

function EditDialog({ provider, onChange, onClose }: DialogProps) {
  const save = async (settings: object) => {
    await orReload(changeProvider(provider, settings), onChange);
    announce(`${provider.name} was changed.`);
    onChange();
    onClose();
  };
  return (
    <Dialog title={`Edit ${provider.name}`} onClose={onClose}>
      <ProviderForm
        provider={provider}
        verb="Save provider"
        failure="The provider was not changed"
        onSubmit={save}
        onClose={onClose}
      />
    </Dialog>
  );
}

function DeleteDialog({ provider, onChange, onClose }: DialogProps) {
  const remove = async () => {
    await request(providerPath(provider), { method: 'DELETE', headers: ifMatch(provider) });
    announce(`${provider.name} was deleted.`);
    onChange();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Delete ${provider.name}?`}
      verb="Delete provider"
      failure="The provider was not deleted"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        Nobody can sign in with it any more. Accounts and their links stay, and work again if a provider with
        this issuer is added. People without a password need one: send them a link to set it.
      </p>
      <p>To stop sign-ins for some time, turn it off.</p>
    </ConfirmDialog>
  );
}
