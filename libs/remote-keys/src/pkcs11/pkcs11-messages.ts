import type { RemoteKeyFault } from '../remote-key-error.js';
import type { Pkcs11KeyName } from './pkcs11-settings.js';

/** What the process of a library is asked for. */
export type Pkcs11Call =
  | {
      readonly call: 'open';
      readonly library: string;
      readonly slot: number | undefined;
      readonly tokenLabel: string | undefined;
      readonly pin: string | undefined;
    }
  | { readonly call: 'publicKey'; readonly key: Pkcs11KeyName }
  | { readonly call: 'sign'; readonly key: Pkcs11KeyName; readonly digest: Uint8Array }
  | { readonly call: 'generate'; readonly key: Pkcs11KeyName };

export interface Pkcs11Request {
  readonly id: number;
  readonly what: Pkcs11Call;
}

export interface Pkcs11Fault {
  readonly code: RemoteKeyFault;
  readonly message: string;
  /** Whether the library has to be started again before it can be of use. */
  readonly isBroken: boolean;
}

export type Pkcs11Reply =
  { readonly id: number; readonly answer: Uint8Array } | { readonly id: number; readonly fault: Pkcs11Fault };
