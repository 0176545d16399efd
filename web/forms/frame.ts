/** Tells the page around a form its height, and whether it follows a page of this frame, if that is of an allowed origin. */
import './form.css';

const origins = document.querySelector('main')!.dataset.origins!.split(' ');
let embedder: string | null = null;
/** Whether errors or thanks are shown that the page around the frame has not brought into view. */
let isNext = document.referrer.startsWith(`${location.href.split('/f/', 1)}/f/`);
// Browsers ignore `autofocus` in frames of other origins.
if (isNext) document.querySelector<HTMLElement>('.notice')?.focus({ preventScroll: true });

function sendHeight(): void {
  const { offsetHeight } = document.body;
  if (embedder === null) return;
  const message = { 'frontdesk:height': offsetHeight, 'frontdesk:next': isNext };
  parent.postMessage(message, { targetOrigin: embedder });
  isNext = false;
}

addEventListener('message', ({ origin, source, data }) => {
  if (source !== parent || !origins.includes(origin) || data !== 'frontdesk:height') return;
  embedder = origin;
  sendHeight();
});
new ResizeObserver(sendHeight).observe(document.body);
