/** URIs, one field for each. */
import { useId, useRef } from 'preact/hooks';
import { isRedirectUri } from '../../../src/features/applications/redirect-uris.ts';
import type { Application } from '../../common/api-types.ts';
import { Button } from '../../common/components.tsx';
import { Errors } from '../../common/form.tsx';

interface UriListProps {
  readonly label: string;
  readonly hint: string;
  readonly kind: Application['kind'];
  readonly uris: readonly string[];
  readonly onUris: (uris: readonly string[]) => void;
  /** Messages of the service about all of them. */
  readonly errors: readonly string[];
}

export function UriList({ label, hint, kind, uris, onUris, errors }: UriListProps) {
  const id = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  const focus = (selector: string) =>
    requestAnimationFrame(() => [...list.current!.querySelectorAll<HTMLElement>(selector)].at(-1)?.focus());
  const change = (changed: readonly string[], selector: string) => {
    onUris(changed);
    focus(selector);
  };
  const messages = uris.map((uri) => (errors.length > 0 ? explainUri(uri, kind) : null));
  const others = messages.every((message) => message === null) ? errors : [];
  return (
    <fieldset class="field stack tight" ref={list} aria-describedby={`${id}-hint`}>
      <legend>{label}</legend>
      <small id={`${id}-hint`}>{hint}</small>
      {uris.map((uri, index) => (
        <UriLine
          key={index}
          label={`${label}, ${index + 1}`}
          uri={uri}
          message={messages[index] ?? null}
          onUri={(text) => onUris(uris.with(index, text))}
          onRemove={() => change(uris.toSpliced(index, 1), 'button')}
        />
      ))}
      <Button
        icon="plus"
        text="Add URI"
        class="compact"
        aria-invalid={others.length > 0 ? true : undefined}
        aria-describedby={`${id}-error`}
        onClick={() => change([...uris, ''], 'input')}
      />
      <Errors id={`${id}-error`} messages={others} />
    </fieldset>
  );
}

interface UriLineProps {
  readonly label: string;
  readonly uri: string;
  readonly message: string | null;
  readonly onUri: (uri: string) => void;
  readonly onRemove: () => void;
}

function UriLine({ label, uri, message, onUri, onRemove }: UriLineProps) {
  const id = useId();
  return (
    <div class="field">
      <div class="uri">
        <input
          aria-label={label}
          aria-invalid={message === null ? undefined : true}
          aria-describedby={message === null ? undefined : id}
          value={uri}
          onInput={({ currentTarget: { value } }) => onUri(value)}
          inputMode="url"
          autocomplete="off"
          spellcheck={false}
        />
        <Button
          icon="trash"
          class="plain"
          aria-label={`Remove ${uri || 'the empty line'}`}
          onClick={onRemove}
        />
      </div>
      <Errors id={id} messages={message === null ? [] : [message]} />
    </div>
  );
}

/** Returns what to change in a URI that applications of this kind cannot have; null if they can. */
function explainUri(uri: string, kind: Application['kind']): string | null {
  if (isRedirectUri(uri, kind)) return null;
  if (uri.includes('*')) return 'Replace * by the whole name, with one line for each.';
  if (uri.includes('#')) return 'Remove the part from # on.';
  if (/^http:/i.test(uri))
    return 'Begin with https://. Plain http works for localhost, 127.0.0.1 and [::1] only.';
  const { href = '' } = URL.parse(uri) ?? {};
  if (isRedirectUri(href, kind)) return `Write it as browsers send it: ${href}`;
  return kind === 'web'
    ? 'Write the whole address, such as https://app.example.com/callback.'
    : 'Write the whole address, or a scheme of your own with a dot, such as com.example.app:/callback.';
}
