/** The page for users beside the fields, as it will be. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, basePath } from '../../common/api.ts';
import type { PreviewRequest } from '../../common/api-types.ts';
import { Button, Failure, Panel } from '../../common/components.tsx';
import { Options } from '../../common/form.tsx';
import { toApiError } from '../../common/use-load.ts';
import type { Shown } from './texts.tsx';

const PAGES = {
  sign_in: 'Sign-in',
  sign_up: 'Sign-up',
  set_password: 'New password',
  account: 'Own account',
  form: 'Form',
  mail: 'Message',
} as const satisfies Record<PreviewRequest['page'], string>;

/** Between the last key and the request. */
const PAUSE_MS = 200;

interface PreviewProps {
  readonly shown: Shown;
  readonly onShown: (shown: Shown) => void;
  readonly request: Omit<PreviewRequest, keyof Shown>;
}

export function Preview({ shown, onShown, request }: PreviewProps) {
  const [isDark, setIsDark] = useState(false);
  const [isPhone, setIsPhone] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  const scheme = isDark ? 'dark' : 'light';
  const body = { ...request, ...shown };
  useEffect(() => {
    const abort = new AbortController();
    const show = async () => {
      const page = await loadPreview(body, abort.signal);
      if (abort.signal.aborted) return;
      showPreview(frame.current!, page, { scheme, logo: request.settings?.INSTANCE_LOGO ?? '' });
      setError(null);
    };
    const timer = setTimeout(() => void show().catch((fault) => setError(toApiError(fault))), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [JSON.stringify(body), scheme]);
  return (
    <Panel
      title="Preview"
      id="preview"
      beside={
        <div class="row">
          <select
            class="compact"
            aria-label="Page"
            value={shown.page}
            onChange={({ currentTarget }) => onShown({ page: currentTarget.value as Shown['page'] })}
          >
            <Options options={Object.entries(PAGES)} />
          </select>
          <Button text="Dark" class="compact" aria-pressed={isDark} onClick={() => setIsDark(!isDark)} />
          <Button text="Phone" class="compact" aria-pressed={isPhone} onClick={() => setIsPhone(!isPhone)} />
        </div>
      }
    >
      {error && <Failure what="The preview is not up to date" error={error} />}
      <div class={isPhone ? 'preview phone' : 'preview'}>
        <iframe ref={frame} title="Preview" sandbox="allow-same-origin" data-theme={scheme} tabIndex={-1} />
      </div>
    </Panel>
  );
}

/** Requests the page as a document, which the browser has parsed: Trusted Types allow no HTML in texts. */
function loadPreview(body: PreviewRequest, signal: AbortSignal): Promise<Document> {
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => request.abort());
    request.open('POST', `${basePath}/api/v1/admin/preview`);
    request.responseType = 'document';
    request.setRequestHeader('Accept', 'text/html');
    request.setRequestHeader('Content-Type', 'application/json');
    request.setRequestHeader('X-Frontdesk-Console', '1');
    const fail = () =>
      reject(new ApiError(request.status, { error: 'The preview could not be rendered.', code: 'unknown' }));
    request.onload = () => (request.status === 200 ? resolve(request.response) : fail());
    request.onerror = fail;
    request.send(JSON.stringify(body));
  });
}

/** Puts the page into the frame. Nothing in it can be focused or pressed. */
function showPreview(
  frame: HTMLIFrameElement,
  page: Document,
  { scheme, logo }: { readonly scheme: string; readonly logo: string },
): void {
  const shown = frame.contentDocument!;
  const { CSSStyleSheet } = frame.contentWindow as unknown as typeof globalThis;
  // Messages have their style in the page, which the policy of the console allows to scripts only.
  const sheets = [...page.querySelectorAll('script[type="text/css"]')].map(({ textContent }) => {
    const sheet = new CSSStyleSheet();
    // The query asks for the scheme of the browser.
    const query = scheme === 'dark' ? 'all' : 'not all';
    sheet.replaceSync(textContent.replaceAll(/\(prefers-color-scheme: dark\)/g, query));
    return sheet;
  });
  for (const element of page.querySelectorAll('script, link[rel=icon], .no-passkeys')) element.remove();
  // As the script of the page does in browsers with passkeys.
  for (const form of page.querySelectorAll<HTMLElement>('form.passkey')) form.hidden = false;
  if (logo !== '') page.querySelector('img.logo')?.setAttribute('src', logo);
  const links = (each: Document) => [...each.querySelectorAll('link')].map((link) => link.href).join();
  // Style sheets that stay are not loaded again, which would show the page without them for a moment.
  if (links(shown) !== links(page)) shown.head.replaceWith(shown.adoptNode(page.head));
  shown.body.replaceWith(shown.adoptNode(page.body));
  shown.adoptedStyleSheets = sheets;
  shown.body.inert = true;
  shown.documentElement.dir = page.documentElement.dir;
  shown.documentElement.dataset.theme = scheme;
}
