/** Status line with the result of an action. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button, Failure } from '../common/components.tsx';
import { focusPlace, getFocusPlace } from '../common/dialog.tsx';
import { Link, path } from '../common/router.tsx';
import { type Action, useAction } from '../common/use-action.ts';
import { useKeptFocus } from '../common/use-kept-focus.ts';

interface Status {
  readonly message: string;
  /** The view that shows it. */
  readonly at: string;
  /** Reverses the action, and shows another message. */
  readonly undo?: (() => Promise<void>) | undefined;
  readonly link?: { readonly to: string; readonly text: string } | undefined;
}

const status = signal<Status | null>(null);

/** Shows the message in this view until the next message or the next view. */
export function announce(message: string, more: Pick<Status, 'undo' | 'link'> = {}): void {
  status.value = { message, at: path.value, ...more };
}

/** Rendered at all times, because screen readers announce only changes of a region that they know. */
export function StatusLine() {
  const undoing = useAction();
  useEffect(() => {
    if (status.value?.at !== path.value) status.value = null;
  }, [path.value]);
  const shown = status.value?.at === path.value ? status.value : null;
  const lastShownAt = useRef('');
  if (shown) lastShownAt.current = shown.at;
  // The room for messages stays for as long as the view: the page does not move when a message is dismissed.
  const hasRoom = lastShownAt.current === path.value;
  const before = useRef(getFocusPlace(null));
  const noteBefore = ({ currentTarget, relatedTarget }: FocusEvent) => {
    const isInside = (currentTarget as Element).contains(relatedTarget as Node | null);
    if (relatedTarget !== null && !isInside) before.current = getFocusPlace(relatedTarget as Element);
  };
  const dismiss = () => {
    status.value = null;
    focusPlace(before.current);
  };
  return (
    <div class={`toasts ${hasRoom ? 'roomy' : ''}`} onFocusIn={noteBefore}>
      <div role="status">{shown && <Message status={shown} undoing={undoing} onDismiss={dismiss} />}</div>
      {shown && undoing.error && <Failure what="It could not be undone" error={undoing.error} />}
    </div>
  );
}

type MessageProps = Readonly<{ status: Status; undoing: Action; onDismiss: () => void }>;

function Message({ status: { message, undo, link }, undoing, onDismiss }: MessageProps) {
  const dismissal = useKeptFocus<HTMLButtonElement>(message);
  return (
    <p class="toast">
      <span>{message}</span> {link && <Link to={link.to}>{link.text}</Link>}{' '}
      {undo && (
        <Button text="Undo" class="compact" onClick={() => undoing.run(undo)} aria-busy={undoing.isBusy} />
      )}{' '}
      <Button text="Dismiss" class="plain compact" onClick={onDismiss} ref={dismissal} />
    </p>
  );
}
