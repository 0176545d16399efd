/** The secret of an application: when it was replaced, and a new one, which is shown once. */
import { useState } from 'preact/hooks';
import type { NewApplication } from '../../common/api-types.ts';
import { CloseButton } from '../../common/dialog.tsx';
import { Panel } from '../../common/panel.tsx';
import { Fact, TimeFact } from '../records/facts.tsx';
import { may } from '../permissions.ts';
import { post } from '../records/requests.ts';
import { RotateSecret } from '../rotate-secret.tsx';
import { Secret } from '../records/secret.tsx';
import { type ApplicationSection, applicationPath, type SecretApplication } from './record.ts';

interface ClientSecretProps {
  readonly secret: string;
  readonly onClose: () => void;
}

export function ClientSecret(props: ClientSecretProps) {
  return (
    <Secret label="Client secret" {...props}>
      Your program proves with it that it is the application. It belongs to the server, not into pages or
      apps.
    </Secret>
  );
}

interface CreatedApplicationProps {
  readonly application: NewApplication;
  readonly onClose: () => void;
}

export function CreatedApplication({ application, onClose }: CreatedApplicationProps) {
  const { client_secret } = application;
  if (client_secret !== null) return <ClientSecret secret={client_secret} onClose={onClose} />;
  return (
    <>
      <p>It has no secret: programs that people have in their hands could not keep one.</p>
      <CloseButton onClose={onClose} />
    </>
  );
}

export function SecretPanel(section: ApplicationSection) {
  const [isOpen, setOpen] = useState(false);
  const { first_characters, created_at, rotated_at, previous_until } = section.application;
  return (
    <Panel
      title="Client secret"
      id="secret"
      beside={
        may('applications:write') && (
          <button type="button" class="compact end" onClick={() => setOpen(true)}>
            Rotate secret…
          </button>
        )
      }
    >
      <dl class="facts">
        <Fact name="Secret">
          <code>{first_characters}…</code>
        </Fact>
        <TimeFact name="Created" at={rotated_at ?? created_at} />
        <TimeFact name="Earlier secret valid until" at={previous_until} />
      </dl>
      {isOpen && <RotateDialog {...section} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

type RotateDialogProps = ApplicationSection & { readonly onClose: () => void };

function RotateDialog({ application, onChange, onClose }: RotateDialogProps) {
  const rotate = async (overlap: number) => {
    const path = `${applicationPath(application)}/rotate-secret`;
    const rotated = await post<SecretApplication>(path, { overlap });
    onChange();
    return rotated.client_secret;
  };
  return (
    <RotateSecret
      owner={application}
      title={`Rotate the secret of ${application.name}?`}
      failure="The secret was not replaced"
      verb="Rotate secret"
      rotate={rotate}
      renderSecret={(secret) => <ClientSecret secret={secret} onClose={onClose} />}
      onClose={onClose}
    >
      A new secret replaces the present one. People stay signed in.
    </RotateSecret>
  );
}
