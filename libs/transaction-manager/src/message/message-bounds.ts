/** Maximum number of messages that wait for one recipient's manager. */
export const MAX_WAITING_FOR_ONE = 256;

/** Maximum number of messages of one key that wait for our node. */
export const MAX_UNREAD_OF_ONE = 256;

/** Maximum number of messages that wait for our node: 256 MiB. */
export const MAX_UNREAD = 4_096;

/** As `MAX_UNREAD`, where a manager that is not among --peers sends one more: the rest stays free for those that are. */
export const MAX_UNREAD_OF_STRANGERS = MAX_UNREAD / 2;

/**
 * Maximum number of pairs of keys that managers which are not among --peers can have a row for: keys cost nothing, and what came last is
 * remembered for good.
 */
export const MAX_PAIRS_OF_STRANGERS = 10_000;

/** How far an order may be ahead of our clock: a sender whose clock was ahead would not be heard once it is right. */
export const MAX_ORDER_AHEAD_MS = 5 * 60_000;

/** Age of an order from which on a message is refused, so that the last order of a pair need not be kept for good. */
export const MAX_ORDER_AGE_MS = 2 * 24 * 60 * 60_000;

/** Time after which a message that its recipient's manager does not take is dropped. */
export const MAX_WAIT_MS = 24 * 60 * 60_000;

/** Maximum number of messages of one pair in a request to another manager. */
export const MAX_GROUP = 64;

/** Maximum number of bytes of such a request. */
export const MAX_GROUP_BYTES = 1_048_576;

/** Maximum number of pairs of keys of which is kept in memory that messages wait. */
export const MAX_PAIRS = 1_000;
