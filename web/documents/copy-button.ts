/** Adds a button to each code block that copies its text. */

/** Selects the text where there is no clipboard: that needs a secure context. Returns the label of the outcome. */
async function copy(code: Element): Promise<string> {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return 'Copied';
  } catch {
    getSelection()?.selectAllChildren(code);
    return 'Selected: copy with the keyboard';
  }
}

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll('.document .code')) {
    const code = block.querySelector('code');
    const caption = block.querySelector('figcaption');
    if (code === null || caption === null) continue;
    const status = document.createElement('span');
    status.role = 'status';
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'compact plain';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      status.textContent = await copy(code);
    });
    button.addEventListener('blur', () => {
      status.textContent = '';
    });
    caption.append(status, button);
  }
}
