/** Tells the page around a form its height, if that is of an allowed origin. */
import './form.css';

const origins = document.querySelector('main')!.dataset.origins!.split(' ');
let embedder: string | null = null;

function sendHeight(): void {
  const { offsetHeight } = document.body;
  if (embedder !== null) parent.postMessage({ 'frontdesk:height': offsetHeight }, { targetOrigin: embedder });
}

addEventListener('message', ({ origin, source, data }) => {
  if (source !== parent || !origins.includes(origin) || data !== 'frontdesk:height') return;
  embedder = origin;
  sendHeight();
});
new ResizeObserver(sendHeight).observe(document.body);
