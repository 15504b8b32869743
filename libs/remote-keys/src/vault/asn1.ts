import {
  Constructed,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Sequence,
  fromBER,
  type AsnType,
} from 'asn1js';

/** An element of BER or DER (ITU-T X.690), with those inside it. */
export type Asn1Element = AsnType;

/** A store of a thousand certificates has some 10,000 elements, at a depth of 10. */
const LIMITS = { maxDepth: 32, maxNodes: 100_000 };
const CONTEXT_CLASS = 3;
/** No count or version of PKCS#12 is larger. */
const MAX_INTEGER_BYTES = 5;

/**
 * The one element that the bytes are.
 * @throws RangeError when they are not one whole element
 */
export function parseAsn1(bytes: Uint8Array): Asn1Element {
  const { offset, result } = fromBER(bytes, LIMITS);
  if (offset !== bytes.length) throw new RangeError('not one whole element');
  return result;
}

/**
 * The elements of a SEQUENCE.
 * @throws RangeError when it is not one
 */
export function sequenceOf(element: Asn1Element | undefined): readonly Asn1Element[] {
  if (!(element instanceof Sequence)) throw new RangeError('not a SEQUENCE');
  return element.valueBlock.value;
}

/**
 * The element that is tagged `[0] EXPLICIT`.
 * @throws RangeError when the tag is another
 */
export function explicit0Of(element: Asn1Element | undefined): Asn1Element {
  const [inner] = isContext0(element) && element instanceof Constructed ? element.valueBlock.value : [];
  if (inner === undefined) throw new RangeError('no [0]');
  return inner;
}

/**
 * The bytes of an OCTET STRING, or of one that is tagged `[0] IMPLICIT`.
 * @throws RangeError when it is neither
 */
export function octetsOf(element: Asn1Element | undefined): Buffer {
  if (element instanceof OctetString) return Buffer.from(element.getValue());
  if (isContext0(element)) {
    if (element instanceof Primitive) return Buffer.from(element.valueBlock.valueHexView);
    // BER may write a long string in pieces.
    if (element instanceof Constructed) return Buffer.concat(element.valueBlock.value.map(octetsOf));
  }
  throw new RangeError('not an OCTET STRING');
}

/**
 * An object identifier in dotted form.
 * @throws RangeError when it is not one
 */
export function oidOf(element: Asn1Element | undefined): string {
  if (!(element instanceof ObjectIdentifier)) throw new RangeError('not an OBJECT IDENTIFIER');
  return element.getValue();
}

/**
 * A small integer.
 * @throws RangeError when it is not one
 */
export function integerOf(element: Asn1Element | undefined): number {
  if (!(element instanceof Integer) || element.valueBlock.valueHexView.length > MAX_INTEGER_BYTES)
    throw new RangeError('not a small INTEGER');
  return Number(element.toBigInt());
}

function isContext0(element: Asn1Element | undefined): boolean {
  return element?.idBlock.tagClass === CONTEXT_CLASS && element.idBlock.tagNumber === 0;
}
