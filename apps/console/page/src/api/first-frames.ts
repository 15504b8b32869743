import { frameSchema, type Frame } from './shapes.js';

/** Calls that are shown; a loop may have made thousands. */
export const MAX_SHOWN = 500;

/**
 * The calls of a trace in the order of execution, each before those that it made.
 * @param root - the answer of the node
 * @throws ZodError for a call of another form
 */
export function firstFrames(root: unknown): {
  readonly frames: readonly { readonly frame: Frame; readonly depth: number }[];
  readonly leftOut: number;
} {
  const frames: { frame: Frame; depth: number }[] = [];
  const waiting = [{ value: root, depth: 0 }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    seen += 1;
    const { value, depth } = next;
    if (frames.length < MAX_SHOWN) frames.push({ frame: frameSchema.parse(value), depth });
    const { calls } = (value ?? {}) as { readonly calls?: unknown };
    if (!Array.isArray(calls)) continue;
    for (let at = calls.length - 1; at >= 0; at -= 1) waiting.push({ value: calls[at], depth: depth + 1 });
  }
  return { frames, leftOut: seen - frames.length };
}
