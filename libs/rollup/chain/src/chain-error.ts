import type { LogError } from './contract-events.js';
import type { DeepReorganisationError } from './contract-follower.js';
import type { ChainUnavailableError } from './ethereum-client.js';

/** Why the contract cannot be followed; `code` distinguishes the reasons. */
export type ChainError = ChainUnavailableError | DeepReorganisationError | LogError;
