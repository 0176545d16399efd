/** Details of a message, and its actions. */
import { useState } from 'preact/hooks';
import type { Mail, MailDetail as MailWithText } from '../../common/api-types.ts';
import { CodeBlock } from '../../common/code-block.tsx';
import { Failure, Loading } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { Fact, TimeFact } from '../records/facts.tsx';
import { isNotFound } from '../records/record-page.tsx';
import { may } from '../permissions.ts';
import { useView } from '../session.ts';
import { CancelDialog, RetryDialog } from './mail-dialogs.tsx';
import { API_PATH, linkToMail, nameState } from './mail-filters.tsx';
import { canRetry, explainError, explainState } from './text.ts';

interface MailDetailProps {
  readonly message: Mail;
  readonly onChange: () => void;
}

export function MailDetail({ message, onChange }: MailDetailProps) {
  const { recipient, user_id } = message;
  return (
    <div class="columns even">
      <div class="stack tight">
        <p>
          <strong>{nameState(message)}.</strong> {explainState(message)}
        </p>
        <Facts message={message} />
        {may('links:send') && <Actions message={message} onChange={onChange} />}
        <div class="row">
          {user_id !== null && <Link to={`/console/users/${user_id}`}>The user</Link>}
          <Link to={linkToMail({ recipient })}>All messages to this address</Link>
        </div>
      </div>
      <Text message={message} />
    </div>
  );
}

function Facts({ message }: { readonly message: Mail }) {
  const { attempts, last_error, next_attempt_at, expires_at, ended_at } = message;
  return (
    <dl class="facts">
      {last_error !== null && (
        <Fact name="Last error">
          {explainError(last_error)} <code>{last_error}</code>
        </Fact>
      )}
      <Fact name="Attempts">{attempts}</Fact>
      <TimeFact name="Next attempt" at={next_attempt_at} />
      <TimeFact name="Given up" at={expires_at} />
      <TimeFact name="Ended" at={ended_at} />
    </dl>
  );
}

function Actions({ message, onChange }: MailDetailProps) {
  const [open, setOpen] = useState<'retry' | 'cancel' | null>(null);
  const dialog = { message, onChange, onClose: () => setOpen(null) };
  return (
    <div class="row">
      {canRetry(message) && (
        <button type="button" class="compact" onClick={() => setOpen('retry')}>
          {message.state === 'waiting' ? 'Send now…' : 'Send again…'}
        </button>
      )}
      {message.state === 'waiting' && (
        <button type="button" class="compact" onClick={() => setOpen('cancel')}>
          Cancel…
        </button>
      )}
      {open === 'retry' && <RetryDialog {...dialog} />}
      {open === 'cancel' && <CancelDialog {...dialog} />}
    </div>
  );
}

function Text({ message: { id, state } }: { readonly message: Mail }) {
  const [loaded, retry] = useView<{ data: MailWithText }>(`${API_PATH}/${encodeURIComponent(id)}`);
  if (isNotFound(loaded))
    return (
      <p class="small">
        The message is not kept any more: it ended more than 30 days ago, or its user was erased.
      </p>
    );
  if (loaded.state === 'failed')
    return <Failure what="The text could not be loaded" error={loaded.error} retry={retry} />;
  const detail = loaded.data?.data;
  if (detail === undefined) return <Loading what="the text" />;
  if (detail.text === null)
    return (
      <p class="small">
        {state === 'sent'
          ? 'Texts are not kept after they were sent.'
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
      <CodeBlock label="Text" text={detail.text} />
      {detail.text.includes('••••') && (
        <p class="small muted">Links are masked: whoever has one can take over the account.</p>
      )}
    </div>
  );
}
