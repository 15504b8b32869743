/**
 * Options of `up` for a network that a test waits for: transactions are mined at once, and blocks without any come once a second. Five of
 * those a second would keep four nodes busy for a third of a core.
 */
export const SHORT_BLOCK_PERIODS: readonly string[] = ['--block-period', '200', '--empty-block-period', '1'];
