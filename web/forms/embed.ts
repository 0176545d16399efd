/** For pages that show forms in frames: each frame gets the height of its form, and is brought into view when it shows what was sent. Loaded as a classic script. */
{
  const { src } = document.currentScript as HTMLScriptElement;
  const forms = new URL('f/', src);
  const find = (isFound: (frame: HTMLIFrameElement) => unknown) =>
    [...document.querySelectorAll('iframe')].filter(
      (frame) => frame.src.startsWith(forms.href) && isFound(frame),
    );
  /** The question has no content: a frame that is still empty may receive it. */
  const ask = (frame: HTMLIFrameElement) => frame.contentWindow?.postMessage('frontdesk:height', '*');

  addEventListener('message', ({ origin, source, data }) => {
    const height = data?.['frontdesk:height'];
    if (origin !== forms.origin || !Number.isInteger(height)) return;
    for (const frame of find(({ contentWindow }) => contentWindow === source)) {
      frame.style.height = `${height}px`;
      // People have pressed the button at its end.
      if (data['frontdesk:next'] && frame.getBoundingClientRect().top < 0) frame.scrollIntoView();
    }
  });
  // The event does not bubble, nor does it reach the window. A frame loads again after each answer of the service.
  document.addEventListener('load', ({ target }) => find((frame) => frame === target).forEach(ask), true);
  find(() => true).forEach(ask);
}
