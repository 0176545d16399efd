/** Shows what was typed into a password field, and sends each form once. The pages are complete without this script. */
import './account.css';
import './own-account.css';
import './passkeys.ts';

for (const button of document.querySelectorAll<HTMLButtonElement>('button.reveal')) {
  const field = document.getElementById(button.getAttribute('aria-controls')!) as HTMLInputElement;
  const show = (isShown: boolean) => {
    field.type = isShown ? 'text' : 'password';
    button.ariaPressed = String(isShown);
  };
  button.hidden = false;
  button.addEventListener('click', () => show(field.type === 'password'));
  // Browsers offer to save the text of password fields only.
  field.form?.addEventListener('submit', () => show(false));
}

// The codes can be written down, and the browser can print them, without these buttons.
for (const button of document.querySelectorAll<HTMLButtonElement>('.copy, .print')) {
  const codes = document.querySelector<HTMLElement>('.recovery-codes')!;
  const status = button.parentElement!.querySelector('[role=status]')!;
  button.hidden = button.className === 'copy' && !isSecureContext;
  button.addEventListener('click', async () => {
    if (button.className === 'print') return print();
    try {
      await navigator.clipboard.writeText(codes.innerText);
      status.textContent = button.dataset.done!;
    } catch {
      getSelection()!.selectAllChildren(codes);
    }
  });
}

const times = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
for (const time of document.querySelectorAll('time')) {
  time.title = time.innerText;
  time.textContent = times.format(new Date(time.dateTime));
}

/** After this time, a form whose response has not arrived can be sent again. */
const REPETITION_MS = 10_000;

// A second press would replace the request whose response has the session, or codes that are shown once.
for (const form of document.forms) {
  let sentAt = Number.NEGATIVE_INFINITY;
  form.addEventListener('submit', (event) => {
    if (event.timeStamp - sentAt < REPETITION_MS) event.preventDefault();
    else sentAt = event.timeStamp;
  });
  // Back shows the page as it was left.
  addEventListener('pageshow', () => {
    sentAt = Number.NEGATIVE_INFINITY;
  });
}
