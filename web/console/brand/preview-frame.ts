/** Shows a page of the service in a frame that runs no scripts, without giving HTML to the console. */
import { ApiError, basePath } from '../../common/api.ts';
import type { PreviewRequest } from '../../common/api-types.ts';

/** Requests the page as a document, which the browser has parsed: Trusted Types allow no HTML in texts. */
export function loadPreview(body: PreviewRequest, signal: AbortSignal): Promise<Document> {
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
export function showPreview(
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
  for (const element of page.querySelectorAll('script, link[rel=icon]')) element.remove();
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
