/** One element of DER (ITU-T X.690): tag (1) ‖ length (1 to 5) ‖ content. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

export const DER_OCTETS = 0x04;
export const DER_SEQUENCE = 0x30;
/** Context tags, constructed and primitive: `[0]`. */
export const DER_CONTEXT_0 = 0xa0;
export const DER_IMPLICIT_0 = 0x80;

/** The elements that follow each other in the bytes. Fails: RangeError when they are not whole. */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes.readUInt8(at);
    let length = bytes.readUInt8(at + 1);
    at += 2;
    if (length > 0x7f) {
      const count = length & 0x7f;
      if (count === 0 || count > 4) throw new RangeError('a length that DER does not have');
      length = bytes.readUIntBE(at, count);
      at += count;
    }
    if (at + length > bytes.length) throw new RangeError('an element is cut off');
    elements.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return elements;
}

/** The elements inside the one at the position. Fails: RangeError when it is not there or of another tag. */
export function inside(elements: readonly DerElement[], position: number, tag: number): DerElement[] {
  return readDer(contentOf(elements, position, tag));
}

/** The content of the element at the position. Fails as `inside`. */
export function contentOf(elements: readonly DerElement[], position: number, tag: number): Buffer {
  const element = elements[position];
  if (element?.tag !== tag) throw new RangeError(`no element of tag ${tag} at ${position}`);
  return element.content;
}

/** An object identifier in hex of its content. */
export function oidOf(elements: readonly DerElement[], position: number): string {
  return contentOf(elements, position, 0x06).toString('hex');
}

/** A small non-negative integer. */
export function integerOf(elements: readonly DerElement[], position: number): number {
  const content = contentOf(elements, position, 0x02);
  if (content.length > 5) throw new RangeError('an integer is too large');
  return content.readUIntBE(0, content.length);
}
