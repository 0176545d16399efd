/** The part of a response's body that is shown. */
export interface ShownBody {
  readonly text: string;
  /** Whether the body is longer than `text`. */
  readonly isCut: boolean;
}

/** More would make the page slow. */
export const MAX_SHOWN_LENGTH = 256 * 1024;

/** Reads the text of a response, and no more of it than can be shown. */
export async function readBody({ body }: Response): Promise<ShownBody> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader !== undefined && text.length <= MAX_SHOWN_LENGTH) {
    const { done, value } = await reader.read();
    if (done) return { text, isCut: false };
    text += value;
  }
  await reader?.cancel();
  return { text: text.slice(0, MAX_SHOWN_LENGTH), isCut: text.length > MAX_SHOWN_LENGTH };
}
