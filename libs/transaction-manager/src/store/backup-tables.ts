/**
 * Every table of a manager, each after those that its rows refer to. Payloads are as they are stored: encrypted. That they
 * are all there does not hold for what is restored, which is as old as the backup.
 */
export const managerTables: readonly { readonly name: string; readonly where?: string }[] = [
  { name: 'payload' },
  { name: 'payload_recipient' },
  { name: 'undelivered_payload' },
  { name: 'raw_payload' },
  { name: 'staged_payload' },
  { name: 'privacy_group' },
  { name: 'key_holder' },
  { name: 'completeness', where: 'false' },
  { name: 'latest_epoch' },
  { name: 'message_pair' },
  { name: 'outgoing_message' },
  { name: 'incoming_message' },
];
