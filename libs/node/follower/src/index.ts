export {
  ChainFollower,
  ForeignFollowerError,
  type ChainFollowerOptions,
  type FollowerPause,
} from './chain-follower.js';
export type { FollowOutcome, FollowedBlock, FollowedChain, Following } from './followed-chain.js';
export { waitWhileMoving, type Arrival, type MovingFollower } from './wait-while-moving.js';
export type { Waited } from './waiters.js';
