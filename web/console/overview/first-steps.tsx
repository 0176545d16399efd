/** First steps of a new service. They vanish when all are done, or the person hides them in this browser. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { basePath } from '../../common/api.ts';
import type { Dashboard } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Button, Panel } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { hasOwner, session } from '../session.ts';
import type { ServiceFacts } from './health.tsx';

interface Step {
  readonly title: string;
  readonly isDone: boolean;
  /** How to do it. */
  readonly content: ComponentChildren;
}

export interface SetupFacts extends ServiceFacts {
  readonly users: Dashboard['users'];
}

export const hasOnlyOwner = ({ total }: Dashboard['users']) => total <= (hasOwner.value ? 1 : 0);

export function listSteps({ users, status, backups }: SetupFacts): Step[] {
  return [
    { title: 'Send a first request', isDone: !hasOnlyOwner(users), content: <FirstRequest /> },
    {
      title: 'Connect a mail server',
      isDone: status.mail.delivery === 'smtp',
      content: (
        <Environment names={['SMTP_URL', 'MAIL_FROM']} reason="Until then, links to verify an email wait." />
      ),
    },
    {
      title: 'Set the public URL',
      isDone: status.public_url !== null,
      content: <Environment names={['PUBLIC_URL']} reason="Links in messages begin with it." />,
    },
    {
      title: 'Create an owner of your own',
      isDone: hasOwner.value,
      content: (
        <p>
          Events then name you, and ADMIN_TOKEN is only the way back in.{' '}
          <Button text="Create owner" class="compact" onClick={() => (session.value = 'first_run')} />
        </p>
      ),
    },
    {
      title: 'Make a backup',
      isDone: backups.created_at !== null,
      content:
        backups.schedule.directory === null ? (
          <Environment names={['BACKUP_DIR']} reason="The service then makes a backup regularly." />
        ) : (
          <p>
            The first one begins by itself. <Link to="/console/backups">Show backups</Link>
          </p>
        ),
    },
  ];
}

function Environment({ names, reason }: Readonly<{ names: readonly string[]; reason: string }>) {
  return (
    <p>
      Set{' '}
      {names.map((name, index) => (
        <>
          {index > 0 && ' and '}
          <code>{name}</code>
        </>
      ))}{' '}
      in the environment, and start the service again. {reason}{' '}
      <a href={`${basePath}/docs/configuration`}>Settings explained</a>
    </p>
  );
}

function FirstRequest() {
  const command = `curl ${location.origin}${basePath}/api/register -H 'Content-Type: application/json' \\
  -d '{"name":"Ada Lovelace","email":"ada@example.com",
       "password":"correct horse battery staple"}'`;
  return (
    <>
      <p>Register a user from a terminal. The response has an access token.</p>
      <CodeBlock label="First request" text={command} wraps />
    </>
  );
}

interface FirstStepsProps {
  readonly steps: readonly Step[];
  readonly onHide: () => void;
  /** Called when the person comes back, such as from a terminal. */
  readonly onReturn: () => void;
}

export function FirstSteps({ steps, onHide, onReturn }: FirstStepsProps) {
  useEffect(() => {
    addEventListener('focus', onReturn);
    return () => removeEventListener('focus', onReturn);
  }, [onReturn]);
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      title="First steps"
      id="first-steps"
      beside={
        <>
          <p class="context">
            {done} of {steps.length} done
          </p>
          <Button text="Hide" class="compact end" onClick={onHide} />
        </>
      }
    >
      <ol class="steps">
        {steps.map(({ title, isDone, content }) => (
          <li key={title} class={isDone ? 'step done' : 'step'}>
            <h3>
              {title}
              {isDone && <span class="visually-hidden">: done</span>}
            </h3>
            {!isDone && <div>{content}</div>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
