/** Two-step sign-in of the own credential: its state and changes. */

import { useState } from 'preact/hooks';
import { LoadState, Panel } from '../../common/panel.tsx';
import { Time } from '../../common/time.tsx';
import { useKeptFocus } from '../../common/use-kept-focus.ts';
import { useView } from '../session.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { SetUpDialog } from './set-up-dialog.tsx';
import { TOTP_PATH, type TotpState } from './totp.ts';

/** Below this number, new recovery codes are suggested. */
const FEW_CODES = 4;

type OpenDialog = 'set-up' | 'switch-off' | 'renew';

export function TwoStep() {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useView<{ data: TotpState }>(TOTP_PATH, revision);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const state = loaded.data?.data;
  const heading = useKeptFocus<HTMLHeadingElement>(state?.enabled_at);
  const dialog = {
    onChange: () => setRevision((count) => count + 1),
    onClose: () => setOpen(null),
  };
  return (
    <Panel
      title="Two-step sign-in"
      id="two-step"
      heading={heading}
      beside={state && <StateBadge state={state} />}
    >
      <div class="body stack tight">
        <LoadState loaded={loaded} what="the state" retry={retry} />
        {state &&
          (state.enabled_at === null ? <Off onOpen={setOpen} /> : <On state={state} onOpen={setOpen} />)}
      </div>
      {open === 'set-up' && <SetUpDialog {...dialog} />}
      {(open === 'switch-off' || open === 'renew') && <ChangeDialog {...dialog} action={open} />}
    </Panel>
  );
}

/** In place of the state: the first owner is a setting. */
export function FirstOwner() {
  return (
    <Panel title="Two-step sign-in" id="two-step">
      <div class="body">
        <p>
          <code>ADMIN_TOKEN</code> is set in the environment of the service and has no second step. Create a
          credential with your name for everyday work, and keep this one for emergencies.
        </p>
      </div>
    </Panel>
  );
}

function StateBadge({ state }: { readonly state: TotpState }) {
  return state.enabled_at === null ? <span class="badge">Off</span> : <span class="badge usual">On</span>;
}

interface StateProps {
  readonly onOpen: (dialog: OpenDialog) => void;
}

function Off({ onOpen }: StateProps) {
  return (
    <>
      <p>
        With it, signing in takes your credential and a code from an app on your phone. Whoever finds the
        credential alone cannot sign in.
      </p>
      <p>
        The credential then works in this console only: requests of programs with it are rejected. Give each
        program a credential of its own.
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => onOpen('set-up')}>
          Set up two-step sign-in
        </button>
      </div>
    </>
  );
}

function On({ state, onOpen }: StateProps & { readonly state: TotpState }) {
  const { enabled_at, recovery_codes_left: left } = state;
  return (
    <>
      <p>
        On since <Time at={enabled_at} />. Signing in takes a code of your app, and the credential works in
        this console only.
      </p>
      <p>
        {left} of 10 recovery codes left.
        {left < FEW_CODES && <strong> Get new ones, so that you can sign in without your phone.</strong>}
      </p>
      <div class="buttons">
        <button type="button" onClick={() => onOpen('renew')}>
          New recovery codes…
        </button>
        <button type="button" class="danger" onClick={() => onOpen('switch-off')}>
          Switch off…
        </button>
      </div>
    </>
  );
}
