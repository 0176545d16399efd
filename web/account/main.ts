/** The buttons that show what was typed into a password field. The pages are complete without them. */
import './account.css';
import './own-account.css';

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
