import type { VaultCertificate, VaultPlace, VaultTrust } from './vault-trust.js';

/** How a vault is reached. */
export interface VaultAccess extends VaultPlace {
  readonly namespace?: string | undefined;
  /** Bounds the whole exchange, connecting included. */
  readonly timeoutMs: number;
  /** Undefined: plain HTTP. */
  readonly trust: VaultTrust | undefined;
  /** Shown to a vault that asks for one (mutual TLS). */
  readonly certificate?: VaultCertificate | undefined;
}
