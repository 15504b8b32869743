import { createRequire } from 'node:module';
import type * as Pkcs11Js from 'pkcs11js';
import { loadOptional } from '../optional-package.js';
import { RemoteKeyError } from '../remote-key-error.js';
import { SECP256K1_OID, pointBytes } from './ec-point.js';
import type { Pkcs11Call } from './pkcs11-messages.js';
import { keyNameOf, type Pkcs11KeyName } from './pkcs11-settings.js';

/** With which it was tested. */
const PKCS11JS_VERSION = '2.1.7';

/** Source: PKCS#11 2.40, table 6 */
const PIN_FINAL_TRY = 0x2_0000;
const PIN_LOCKED = 0x4_0000;
/** Longer than every ECDSA signature over 256 bits. */
const MAX_SIGNATURE_BYTES = 256;

type OpenCall = Extract<Pkcs11Call, { readonly call: 'open' }>;

/** A token that is logged in to, with as many sessions as are in use at a time. */
export class TokenSession {
  private readonly idle: Buffer[] = [];
  private readonly privateKeys = new Map<string, Buffer>();

  private constructor(
    private readonly js: typeof Pkcs11Js,
    private readonly module: Pkcs11Js.PKCS11,
    private readonly slot: Buffer,
  ) {}

  /** @throws RemoteKeyError; the library's error */
  static async open({ library, slot, tokenLabel, pin }: OpenCall): Promise<TokenSession> {
    const js = await loadOptional('pkcs11js', PKCS11JS_VERSION, async () => {
      return createRequire(import.meta.url)('pkcs11js') as typeof Pkcs11Js;
    });
    const module = new js.PKCS11();
    try {
      module.load(library);
    } catch {
      throw new RemoteKeyError(
        'UNSUPPORTED',
        `${library} is not there, or is not a PKCS#11 library of this platform`,
      );
    }
    module.C_Initialize({ flags: js.CKF_OS_LOCKING_OK });
    const session = new TokenSession(js, module, findSlot(module, slot, tokenLabel));
    session.logIn(pin);
    return session;
  }

  /**
   * @returns 64 bytes x‖y
   * @throws RemoteKeyError; the library's error
   */
  publicKey(key: Pkcs11KeyName): Uint8Array {
    const { CKO_PUBLIC_KEY, CKA_EC_PARAMS, CKA_EC_POINT } = this.js;
    return this.withSession((session) => {
      const handle = this.find(session, CKO_PUBLIC_KEY, key);
      const [curve, point] = this.module.C_GetAttributeValue(session, handle, [
        { type: CKA_EC_PARAMS },
        { type: CKA_EC_POINT },
      ]);
      const bytes = pointBytes(asBytes(point?.value));
      if (Buffer.compare(asBytes(curve?.value), SECP256K1_OID) === 0 && bytes !== undefined) return bytes;
      throw new RemoteKeyError(
        'UNSUPPORTED',
        `the key with ${keyNameOf(key)} is not one of the curve secp256k1`,
      );
    });
  }

  /**
   * @returns r (32) ‖ s (32)
   * @throws RemoteKeyError; the library's error
   */
  async sign(key: Pkcs11KeyName, digest: Uint8Array): Promise<Uint8Array> {
    const session = this.take();
    try {
      const handle = this.privateKey(session, key);
      this.module.C_SignInit(session, { mechanism: this.js.CKM_ECDSA }, handle);
      const out = Buffer.alloc(MAX_SIGNATURE_BYTES);
      const signature = await this.module.C_SignAsync(session, Buffer.from(digest), out);
      this.idle.push(session);
      return signature;
    } catch (error) {
      this.discard(session);
      throw error;
    }
  }

  /**
   * Makes a key pair that cannot be extracted.
   * @returns 64 bytes x‖y
   * @throws RemoteKeyError; the library's error
   */
  generate(key: Pkcs11KeyName): Uint8Array {
    const { js } = this;
    this.withSession((session) => {
      const names = this.nameOf(key);
      this.module.C_GenerateKeyPair(
        session,
        { mechanism: js.CKM_EC_KEY_PAIR_GEN },
        [
          ...names,
          { type: js.CKA_TOKEN, value: true },
          { type: js.CKA_VERIFY, value: true },
          { type: js.CKA_EC_PARAMS, value: Buffer.from(SECP256K1_OID) },
        ],
        [
          ...names,
          ...[js.CKA_TOKEN, js.CKA_PRIVATE, js.CKA_SENSITIVE, js.CKA_SIGN].map((type) => ({
            type,
            value: true,
          })),
          { type: js.CKA_EXTRACTABLE, value: false },
        ],
      );
    }, js.CKF_RW_SESSION);
    return this.publicKey(key);
  }

  /** Whether the token has a key of the name, in one of its two objects. */
  has(key: Pkcs11KeyName): boolean {
    return this.withSession((session) =>
      [this.js.CKO_PUBLIC_KEY, this.js.CKO_PRIVATE_KEY].some(
        (objectClass) => this.search(session, objectClass, key).length > 0,
      ),
    );
  }

  private logIn(pin: string | undefined): void {
    // Never closed: the login ends with the last session.
    const session = this.take();
    if (pin === undefined) return;
    const { flags } = this.module.C_GetTokenInfo(this.slot);
    if ((flags & PIN_LOCKED) !== 0)
      throw new RemoteKeyError('LOCKED', 'the PIN is locked; the security officer has to set it anew');
    if ((flags & PIN_FINAL_TRY) !== 0) {
      const text = 'one try of the PIN is left, which is not used; log in once by the tool of the vendor';
      throw new RemoteKeyError('LOCKED', text);
    }
    this.module.C_Login(session, this.js.CKU_USER, pin);
  }

  private privateKey(session: Buffer, key: Pkcs11KeyName): Buffer {
    const name = keyNameOf(key);
    const handle = this.privateKeys.get(name) ?? this.find(session, this.js.CKO_PRIVATE_KEY, key);
    this.privateKeys.set(name, handle);
    return handle;
  }

  private find(session: Buffer, objectClass: number, key: Pkcs11KeyName): Buffer {
    const [handle, other] = this.search(session, objectClass, key);
    const what = objectClass === this.js.CKO_PUBLIC_KEY ? 'public' : 'private';
    if (handle === undefined)
      throw new RemoteKeyError('MISSING', `the token has no ${what} key with ${keyNameOf(key)}`);
    if (other === undefined) return handle;
    throw new RemoteKeyError(
      'UNSUPPORTED',
      `the token has several ${what} keys with ${keyNameOf(key)}; name it by its id`,
    );
  }

  private search(session: Buffer, objectClass: number, key: Pkcs11KeyName): readonly Buffer[] {
    this.module.C_FindObjectsInit(session, [
      { type: this.js.CKA_CLASS, value: objectClass },
      ...this.nameOf(key),
    ]);
    const handles = this.module.C_FindObjects(session, 2);
    this.module.C_FindObjectsFinal(session);
    return handles;
  }

  private nameOf({ label, id }: Pkcs11KeyName): { type: number; value: Buffer }[] {
    const { CKA_LABEL, CKA_ID } = this.js;
    return [
      ...(label === undefined ? [] : [{ type: CKA_LABEL, value: Buffer.from(label, 'utf8') }]),
      ...(id === undefined ? [] : [{ type: CKA_ID, value: Buffer.from(id, 'hex') }]),
    ];
  }

  private take(flags = 0): Buffer {
    const idle = flags === 0 ? this.idle.pop() : undefined;
    return idle ?? this.module.C_OpenSession(this.slot, this.js.CKF_SERIAL_SESSION | flags);
  }

  private withSession<T>(task: (session: Buffer) => T, flags = 0): T {
    const session = this.take(flags);
    try {
      const outcome = task(session);
      if (flags === 0) this.idle.push(session);
      else this.discard(session);
      return outcome;
    } catch (error) {
      this.discard(session);
      throw error;
    }
  }

  /** A session whose call failed is in an unknown state, and is not used again. */
  private discard(session: Buffer): void {
    try {
      this.module.C_CloseSession(session);
    } catch {
      // It is closed already, or the token is gone.
    }
  }
}

/** @throws RemoteKeyError MISSING; the library's error */
function findSlot(module: Pkcs11Js.PKCS11, slot: number | undefined, tokenLabel: string | undefined): Buffer {
  const slots = module
    .C_GetSlotList(true)
    .filter(
      (handle) =>
        (slot === undefined || numberOf(handle) === slot) &&
        (tokenLabel === undefined || module.C_GetTokenInfo(handle).label.trimEnd() === tokenLabel),
    );
  const [found, other] = slots;
  const wanted = tokenLabel === undefined ? `in slot ${slot}` : `with the label ${tokenLabel}`;
  if (found === undefined) throw new RemoteKeyError('MISSING', `there is no token ${wanted}`);
  if (other === undefined) return found;
  throw new RemoteKeyError('UNSUPPORTED', `there are several tokens ${wanted}; name one by its slot`);
}

/** A CK_ULONG as the platform has it. */
function numberOf(handle: Buffer): number {
  return handle.length === 8 ? Number(handle.readBigUInt64LE()) : handle.readUInt32LE();
}

function asBytes(value: unknown): Uint8Array {
  return Buffer.isBuffer(value) ? value : new Uint8Array();
}
