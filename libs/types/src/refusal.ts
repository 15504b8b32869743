/** Values that tell a caller more about a refusal; they travel in `error.data` beside the reason. */
export type RefusalData = Readonly<Record<string, string | number | boolean | null>>;

/**
 * A request that was understood and is refused by a rule of the service.
 *
 * The reason is stable and is what clients test; its numeric code is looked up in the table of `libs/rpc`,
 * never typed here. The message is the exact text of the interface document where that gives one.
 */
export class RefusalError extends Error {
  override readonly name = 'RefusalError';

  constructor(
    readonly reason: string,
    message: string,
    readonly data: RefusalData = {},
  ) {
    super(message);
  }
}
