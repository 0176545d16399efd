/** Whether the command palette is open. */
import { signal } from '@preact/signals';

export const isPaletteOpen = signal(false);

export function openPalette(): void {
  isPaletteOpen.value = true;
}
