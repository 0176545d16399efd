/** The switch that shows the password. The pages are complete without it. */
import './account.css';

const field = document.querySelector<HTMLInputElement>('input[autocomplete="new-password"]');
const choice = document.querySelector<HTMLInputElement>('#show-password');
const option = choice?.closest('label');

if (field && choice && option) {
  option.hidden = false;
  choice.addEventListener('change', () => {
    field.type = choice.checked ? 'text' : 'password';
  });
  // Browsers offer to save the text of password fields only.
  field.form?.addEventListener('submit', () => {
    field.type = 'password';
  });
}
