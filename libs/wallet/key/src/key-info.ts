import { KEY_KINDS, type KeyKind } from './signature/coin-signature.js';
import { MemberNames, isObject } from '@tetrad/rpc';
import { z } from 'zod';
import { CoinKeyError } from './key-error.js';
import { CoinPrivateKey } from './private-key.js';

/** Integers that old files write for the kind: those of the signatures that it makes. */
const KIND_OF_NUMBER: ReadonlyMap<unknown, KeyKind> = new Map([
  [1, 'secp256k1'],
  [2, 'bls'],
  [3, 'delegated'],
]);

/** A kind's name in an error must not be a key that slipped into its place. */
const PRINTABLE_TYPE = /^[a-z0-9-]{1,20}$/i;

/** Error messages of a schema for a missing field and for one of another type. */
const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is required' : `must be ${what}`,
});
const anObject = must('a JSON object');
const privateKey = z.string(must('base64 text'));

const kindOrNumber = z.union([z.string(), z.number()], must('the name of a key type'));
const keyInfo = z.object({ Type: kindOrNumber, PrivateKey: privateKey }, anObject);
const gfcKeyInfo = z.object(
  {
    KeyInfo: z
      .array(
        z.object({ PrivateKey: privateKey, SigType: z.number(must('a number')) }, anObject),
        must('a list'),
      )
      .length(1, 'must be a list of one key'),
  },
  anObject,
);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Members of key files, which Go's programs match in any letter case: Venus and go-filecoin write `privateKey`, `sigType`. */
const MEMBERS = new MemberNames(['Type', 'SigType', 'PrivateKey', 'KeyInfo']);

/**
 * The key of `{"Type":"secp256k1","PrivateKey":"<base64>"}`, parsed from JSON; Venus calls the type `sigType`.
 *
 * @throws CoinKeyError
 */
export function keyFromKeyInfo(value: unknown): CoinPrivateKey {
  const { SigType, ...members } = respell(value);
  if (SigType !== undefined && members['Type'] !== undefined)
    throw malformed('Type and SigType: must not be given both');
  const info = SigType === undefined ? members : { Type: SigType, ...members };
  const parsed = parse(keyInfo, isObject(value) ? info : value);
  return keyOf(parseKind(parsed.Type), parsed.PrivateKey);
}

/**
 * Whether parsed JSON is the list of go-filecoin rather than one key.
 *
 * @param value the content of a key file
 */
export function isGfcKeyInfo(value: unknown): boolean {
  return isObject(value) && Object.keys(value).some((member) => MEMBERS.nameOf(member) === 'KeyInfo');
}

/**
 * The key of `{"KeyInfo":[{"PrivateKey":"<base64>","SigType":1}]}`, parsed from JSON.
 *
 * @throws CoinKeyError
 */
export function keyFromGfcKeyInfo(value: unknown): CoinPrivateKey {
  const { KeyInfo: list, ...members } = respell(value);
  const KeyInfo = Array.isArray(list) ? list.map((one) => (isObject(one) ? respell(one) : one)) : list;
  const [info] = parse(gfcKeyInfo, isObject(value) ? { ...members, KeyInfo } : value).KeyInfo;
  const kind = info?.SigType === 3 ? undefined : KIND_OF_NUMBER.get(info?.SigType);
  if (info === undefined || kind === undefined) {
    throw new CoinKeyError('UNSUPPORTED_KEY_TYPE', `unknown sig type: ${info?.SigType}`);
  }
  return keyOf(kind, info.PrivateKey);
}

/** Layout: `{"Type":"<kind>","PrivateKey":"<base64>"}`, in this order and without spaces. */
export function keyInfoJson(key: CoinPrivateKey): string {
  return key.use((bytes) =>
    JSON.stringify({ Type: key.kind, PrivateKey: Buffer.from(bytes).toString('base64') }),
  );
}

function respell(value: unknown): Readonly<Record<string, unknown>> {
  return MEMBERS.respell(isObject(value) ? value : {}, ({ name }) =>
    malformed(`${name}: must be given once, in ASCII letters`),
  );
}

function parseKind(type: string | number): KeyKind {
  const kind = KEY_KINDS.find((known) => known === type) ?? KIND_OF_NUMBER.get(type);
  if (kind !== undefined) return kind;
  const shown = PRINTABLE_TYPE.test(String(type)) ? String(type) : '(not a name)';
  throw new CoinKeyError('UNSUPPORTED_KEY_TYPE', `unsupported key type: ${shown}`);
}

function keyOf(kind: KeyKind, base64: string): CoinPrivateKey {
  if (!BASE64.test(base64)) throw malformed('PrivateKey: must be base64 with padding');
  const bytes = Buffer.from(base64, 'base64');
  try {
    return CoinPrivateKey.fromBytes(kind, bytes);
  } finally {
    bytes.fill(0);
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.join('.');
  // Types and lengths only: the value of a field may be the key.
  throw malformed(`${path ? `${path} ` : 'the key file '}${issue?.message ?? 'is not a key'}`);
}

function malformed(message: string): CoinKeyError {
  return new CoinKeyError('MALFORMED_KEY_FILE', message);
}
