/** Details of a message, and its actions. */
import type { Mail, MailDetail as MailWithText } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Facts, Failure, Loading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { Time } from '../../common/time.tsx';
import {
  ConfirmAction,
  type RecordAction,
  RecordActions,
  type RecordDialogProps,
} from '../records/record-actions.tsx';
import { isNotFound } from '../records/record-page.tsx';
import type { Section } from '../records/requests.ts';
import { may, useData } from '../session.ts';
import { linkToMail, messages, nameState } from './record.ts';
import { canRetry, explainError, explainState } from './text.ts';

export function MailDetail(section: Section<Mail>) {
  const message = section.record;
  const { recipient, user_id } = message;
  return (
    <div class="columns even">
      <div class="stack tight">
        <p>
          <strong>{nameState(message)}.</strong> {explainState(message)}
        </p>
        <MessageFacts message={message} />
        {may('links:send') && <RecordActions {...section} actions={ACTIONS} />}
        <div class="row">
          {user_id !== null && <Link to={`/console/users/${user_id}`}>The user</Link>}
          <Link to={linkToMail({ recipient })}>All messages to this address</Link>
        </div>
      </div>
      <Text message={message} />
    </div>
  );
}

function MessageFacts({ message }: { readonly message: Mail }) {
  const { attempts, last_error, next_attempt_at, expires_at, ended_at } = message;
  return (
    <Facts
      facts={{
        'Last error': last_error !== null && (
          <>
            {explainError(last_error)} <code>{last_error}</code>
          </>
        ),
        Attempts: attempts,
        'Next attempt': next_attempt_at !== null && <Time at={next_attempt_at} />,
        'Given up': expires_at !== null && <Time at={expires_at} />,
        Ended: ended_at !== null && <Time at={ended_at} />,
      }}
    />
  );
}

const ACTIONS: readonly RecordAction<Mail>[] = [
  {
    label: ({ state }) => (state === 'waiting' ? 'Send now…' : 'Send again…'),
    class: 'compact',
    isShown: canRetry,
    Dialog: RetryDialog,
  },
  { label: 'Cancel…', class: 'compact', isShown: ({ state }) => state === 'waiting', Dialog: CancelDialog },
];

function Text({ message: { id, state } }: { readonly message: Mail }) {
  const [loaded, retry] = useData<MailWithText>(messages.pathTo(id));
  if (isNotFound(loaded))
    return (
      <p class="small">
        The message is not kept any more: it ended more than 30 days ago, or its user was erased.
      </p>
    );
  if (loaded.state === 'failed')
    return <Failure what="The text could not be loaded" error={loaded.error} retry={retry} />;
  const detail = loaded.data;
  if (detail === undefined) return <Loading what="the text" />;
  if (detail.text === null)
    return (
      <p class="small">
        {state === 'sent'
          ? 'It was sent by an earlier release, which did not keep what its text needs.'
          : 'It was skipped before it had a text.'}
      </p>
    );
  return (
    <div class="stack tight">
      {detail.link !== null && (
        <p>
          <a href={detail.link} rel="noreferrer">
            Open the link of this message
          </a>
        </p>
      )}
      <CodeBlock label={state === 'sent' ? 'Text, by the present templates' : 'Text'} text={detail.text} />
      {detail.text.includes('••••') && (
        <p class="small muted">Links are masked: whoever has one can take over the account.</p>
      )}
    </div>
  );
}

function RetryDialog(dialog: RecordDialogProps<Mail>) {
  const { recipient, subject, state } = dialog.record;
  const isWaiting = state === 'waiting';
  return (
    <ConfirmAction
      {...dialog}
      title={`Send the message to ${recipient} ${isWaiting ? 'now' : 'again'}?`}
      verb={`Send to ${recipient}`}
      failure="The message was not queued"
      isDestructive={false}
      act={() => messages.act(dialog.record, 'retry')}
      done={`The message to ${recipient} is sent within seconds.`}
    >
      <p>
        “{subject}” is sent {isWaiting ? 'at once' : 'once more, with all attempts of a new message'}. The
        limits of its recipient apply.
      </p>
    </ConfirmAction>
  );
}

function CancelDialog(dialog: RecordDialogProps<Mail>) {
  const { recipient, subject } = dialog.record;
  return (
    <ConfirmAction
      {...dialog}
      title={`Cancel the message to ${recipient}?`}
      verb="Cancel the message"
      failure="The message was not cancelled"
      act={() => messages.act(dialog.record, 'cancel')}
      done={`The message to ${recipient} was cancelled.`}
    >
      <p>“{subject}” is not sent. You can send it again within 30 days if the address has an account.</p>
    </ConfirmAction>
  );
}
