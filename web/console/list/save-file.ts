/** Saves files that a page has made. */

/** Lets the browser save the file under this name. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has its own reference to the file from the next task on.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
