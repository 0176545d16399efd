/** The part of a response's body that is shown. */

export interface ShownBody {
  readonly text: string;
  /** Whether the body is longer than `text`. */
  readonly isCut: boolean;
}

/** More would make the page slow. */
export const MAX_SHOWN_BYTES = 256 * 1024;

/** Reads the text of a response, and no more of it than can be shown. */
export async function readBody({ body }: Response): Promise<ShownBody> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // Leaving the loop early cancels the rest of the body.
  for await (const chunk of readChunks(body)) {
    size += chunk.length;
    if (size > MAX_SHOWN_BYTES)
      return { text: text + decoder.decode(chunk.subarray(0, MAX_SHOWN_BYTES - size)), isCut: true };
    text += decoder.decode(chunk, { stream: true });
  }
  return { text: text + decoder.decode(), isCut: false };
}

/** Not every browser can iterate over a stream. */
async function* readChunks(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
