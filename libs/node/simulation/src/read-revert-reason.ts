/**
 * The text with which a contract reverted; undefined when it gave none.
 *
 * The coder that reads it brings a hundred files, which a node needs once something reverts.
 */
export async function readRevertReason(returnData: Uint8Array): Promise<string | undefined> {
  const { revertReason } = await import('./revert-reason.js');
  return revertReason(returnData);
}
