/**
 * Part of a statement that has its own commit not wait for the disk, when the condition holds. The setting is the
 * transaction's, and a statement by itself is one.
 */
export const COMMIT_LATER = (condition: string): string =>
  `commit_later AS MATERIALIZED (
     SELECT CASE WHEN ${condition} THEN set_config('synchronous_commit', 'off', true) END)`;
