import { open, readFile, readdir } from 'node:fs/promises';

/** Bytes read at a time. */
const STEP = 4 * 1024 * 1024;

/**
 * Which of the patterns are in the memory of a process, as a core file would have it: all that it can write. Linux, for processes
 * of the same user.
 *
 * @returns the names of those that were found
 */
export async function findInMemory(
  pid: number,
  patterns: ReadonlyMap<string, Uint8Array>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const overlap = Math.max(...[...patterns.values()].map(({ length }) => length)) - 1;
  const memory = await open(`/proc/${pid}/mem`, 'r');
  try {
    const bytes = Buffer.alloc(STEP + overlap);
    for (const { from, to } of await writableParts(pid))
      for (let at = from; at < to; at += STEP) {
        const wanted = Math.min(bytes.length, to - at);
        // Parts go away while they are read.
        const read = await memory.read(bytes, 0, wanted, at).catch(() => ({ bytesRead: 0 }));
        const content = bytes.subarray(0, read.bytesRead);
        for (const [name, pattern] of patterns) if (content.indexOf(pattern) !== -1) found.add(name);
      }
  } finally {
    await memory.close();
  }
  return found;
}

/** How a key may be in memory. */
export function formsOfKeys(keys: Readonly<Record<string, Uint8Array>>): ReadonlyMap<string, Uint8Array> {
  return new Map(
    Object.entries(keys).flatMap(([name, key]) => {
      const bytes = Buffer.from(key);
      const hex = bytes.toString('hex');
      // The last character of these is shared with what may follow.
      const texts = [hex, hex.toUpperCase(), bytes.toString('base64url').slice(0, -1)];
      const base64 = bytes.toString('base64').replaceAll('=', '').slice(0, -1);
      const forms = [
        bytes,
        Buffer.from(bytes).reverse(),
        ...[...texts, base64].map((text) => Buffer.from(text)),
      ];
      return forms.map((form, index) => [`key in ${name}, form ${index}`, form] as const);
    }),
  );
}

async function writableParts(
  pid: number,
): Promise<readonly { readonly from: number; readonly to: number }[]> {
  const lines = (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n');
  return lines.flatMap((line) => {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    return from === undefined || to === undefined
      ? []
      : [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }];
  });
}

/** The processes that a process has started and that still run. Linux. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = threads.map((thread) =>
    readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''),
  );
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}
