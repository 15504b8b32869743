/**
 * Puts text that people sign on the command line into an envelope, so that it can be no message of the chain.
 *
 * Layout: 0x19 (1) ‖ "Filecoin Signed Message:" (24) ‖ LF (1) ‖ bytes of data in decimal (1..) ‖ data
 * Source: lotus, cli/wallet.go
 */
export function textEnvelope(data: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`\x19Filecoin Signed Message:\n${data.length}`, 'latin1'), data]);
}
