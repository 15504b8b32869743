import { ManagerError } from '../manager-error.js';
import { MAX_GROUP, MAX_GROUP_BYTES } from './message-bounds.js';

const LENGTH_BYTES = 4;

/**
 * Several sealed messages as one body.
 *
 * Layout: for each: length (4, big-endian) | sealed message
 */
export function joinMessages(sealed: readonly Uint8Array[]): Uint8Array {
  const parts = sealed.flatMap((one) => {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(one.length);
    return [length, one];
  });
  return Buffer.concat(parts);
}

/**
 * The sealed messages of a body, 1 to 64.
 * @throws ManagerError 400
 */
export function splitMessages(body: Buffer): Buffer[] {
  if (body.length > MAX_GROUP_BYTES)
    throw new ManagerError(
      'invalid',
      `the messages have ${body.length} bytes; the limit is ${MAX_GROUP_BYTES}`,
    );
  const found: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    if (found.length === MAX_GROUP)
      throw new ManagerError('invalid', `there are more than ${MAX_GROUP} messages`);
    const start = at + LENGTH_BYTES;
    const end = start <= body.length ? start + body.readUInt32BE(at) : Infinity;
    if (end > body.length) throw new ManagerError('invalid', 'the last message ends too early');
    found.push(body.subarray(start, end));
    at = end;
  }
  if (found.length === 0) throw new ManagerError('invalid', 'there is no message');
  return found;
}
