export { ArtifactError } from './artifact.js';
export {
  DEFAULT_ETHER_UNIT,
  DEFAULT_STALL_TIMEOUT_SECONDS,
  deployRollup,
  type CreateContract,
  type RollupOptions,
} from './deploy-rollup.js';
export {
  RollupCodec,
  publishedBatch,
  type AcceptedBatch,
  type AddedToken,
  type Payment,
  type PublishedBatch,
  type RegisteredTransfer,
  type RequestedTransfer,
  type RollupEvent,
} from './rollup-contract.js';
