import type { DeriveKey } from '@tetrad/keystore';
import type { RemoteServices, VaultSessions } from '@tetrad/remote-keys';
import type { SecretTexts } from '@tetrad/remote-keys/secrets';
import type { Clock } from '@tetrad/types';

/** What all sources of a process share. */
export interface KeySourceParts {
  /** Decrypts key files. */
  readonly derive: DeriveKey;
  readonly clock: Clock;
  /** In which keys sign. */
  readonly services: RemoteServices;
  /** From which keys are read. */
  readonly vaults: VaultSessions;
  /** Passwords of key files that are in services. */
  readonly passwords: Pick<SecretTexts, 'read'>;
}
