import { open } from 'node:fs/promises';
import { onFile } from './file-error.js';

const CHUNK_BYTES = 2 ** 20;

/**
 * Reads a text file of bounded length, whatever the file is: it may grow, or have no end.
 *
 * @param path - of the file
 * @param maxBytes - maximum size that is read
 * @returns undefined for a longer one
 * @throws as `node:fs` does
 */
export async function readBounded(path: string, maxBytes: number): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    return await onFile(path, async () => {
      const chunks: Buffer[] = [];
      let length = 0;
      for (;;) {
        const size = Math.min(CHUNK_BYTES, maxBytes + 1);
        const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(size) });
        if (bytesRead === 0) return Buffer.concat(chunks).toString('utf8');
        length += bytesRead;
        if (length > maxBytes) return undefined;
        chunks.push(buffer.subarray(0, bytesRead));
      }
    });
  } finally {
    await file.close();
  }
}
