/**
 * The reason with which a contract reverted; undefined without one.
 *
 * The ABI coder is imported on first use, because it loads a hundred files.
 */
export async function readRevertReason(returnData: Uint8Array): Promise<string | undefined> {
  const { revertReason } = await import('./revert-reason.js');
  return revertReason(returnData);
}
