import { CircuitError } from '../circuit-cache.js';
import { COMPARED, HEAD_BYTES, findFormat, type PointsFormat } from './points-format.js';
import { POINT_BYTES, PINNED_POINTS } from './points-file.js';

/** What tells files from each other that people take for points. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^ptau/, 'a file of snarkjs (.ptau) is of another ceremony, whose points continue none of ours'],
  [/^(zkey|wtns|r1cs)/, 'this is a file of snarkjs, without points of the ceremony'],
  [/^version https:\/\/git-lfs/, 'this is the name of a file in Git LFS, not the file: git lfs pull'],
  [/^(\x1f\x8b|PK|\(\xb5\x2f\xfd|BZh)/, 'this file is packed: unpack it first'],
  [/^\s*[<{[]/, 'this is a text, perhaps a page that says why the file is not there'],
];

export interface ReadOptions {
  /** How the source is called in errors. */
  readonly from: string;
  readonly count: number;
  /** The first points of the ceremony, which the source must have. */
  readonly pinned: Buffer;
}

/**
 * Reads the first points of a source in any form, and writes them as `bb` does. What comes after the pinned points is not checked.
 *
 * @param source - bytes, which are read no further than is needed
 * @param options - how many, and which are known
 * @returns pieces of x (32) ‖ y (32) each, big-endian, from the first point on
 * @throws CircuitError for a source of other points, or of too few
 */
export async function* readPoints(
  source: AsyncIterable<Uint8Array>,
  { from, count, pinned }: ReadOptions,
): AsyncGenerator<Buffer> {
  // A file may leave out the generator.
  yield pinned.subarray(0, POINT_BYTES);
  let read = 1;
  for await (const records of recordsIn(source, { from, pinned })) {
    const points = pointsOf(records, { from, first: read, most: count - read });
    const known = pinned.subarray(read * POINT_BYTES, read * POINT_BYTES + points.length);
    if (!points.subarray(0, known.length).equals(known)) throw notOurs(from, read, points, known);
    yield points;
    read += points.length / POINT_BYTES;
    if (read === count) return;
  }
  throw new CircuitError(`${from} has ${read} points, not ${count}`);
}

function notOurs(from: string, read: number, points: Buffer, known: Buffer): CircuitError {
  let place = 0;
  const at = (bytes: Buffer) => bytes.subarray(place * POINT_BYTES, (place + 1) * POINT_BYTES);
  while (at(points).equals(at(known))) place += 1;
  return new CircuitError(
    `${from} does not hold the proving points of the ceremony: point ${read + place} of the first ${PINNED_POINTS} is another`,
  );
}

interface Records {
  readonly format: PointsFormat;
  readonly bytes: Buffer;
}

/** Whole records, from the second point on. */
async function* recordsIn(
  source: AsyncIterable<Uint8Array>,
  { from, pinned }: Pick<ReadOptions, 'from' | 'pinned'>,
): AsyncGenerator<Records> {
  const known = pinned.subarray(0, (COMPARED + 1) * POINT_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  let format: PointsFormat | undefined;
  const cut = (found: PointsFormat): Records => {
    const whole = rest.length - (rest.length % found.stride);
    const bytes = rest.subarray(0, whole);
    rest = rest.subarray(whole);
    return { format: found, bytes };
  };
  for await (const chunk of source) {
    rest = Buffer.concat([rest, chunk]);
    if (format === undefined && rest.length < HEAD_BYTES) continue;
    if (format === undefined) [format, rest] = begin(rest, { known, from });
    yield cut(format);
  }
  if (format === undefined) {
    [format, rest] = begin(rest, { known, from });
    yield cut(format);
  }
}

function begin(
  head: Buffer,
  { known, from }: { readonly known: Buffer; readonly from: string },
): [PointsFormat, Buffer] {
  const format = findFormat(head, known);
  if (format !== undefined) return [format, head.subarray(format.offset)];
  const start = head.subarray(0, COMPARED).toString('latin1');
  const why = BEGINNINGS.find(([beginning]) => beginning.test(start))?.[1] ?? 'in no form that is known';
  throw new CircuitError(`${from} does not hold the proving points of the ceremony: ${why}`);
}

function pointsOf(
  { format, bytes }: Records,
  { from, first, most }: { readonly from: string; readonly first: number; readonly most: number },
): Buffer {
  const { stride } = format;
  const there = Math.min(most, bytes.length / stride);
  const points = Buffer.alloc(there * POINT_BYTES);
  for (let index = 0; index < there; index += 1) {
    const point = format.read(bytes.subarray(index * stride, (index + 1) * stride));
    if (point === undefined) throw new CircuitError(`${from}: point ${first + index} is not on the curve`);
    points.set(point, index * POINT_BYTES);
  }
  return points;
}
