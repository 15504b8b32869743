/** Every table of a manager, each after those that its rows refer to. Payloads are as they are stored: encrypted. */
export const managerTables: readonly { readonly name: string }[] = [
  { name: 'payload' },
  { name: 'payload_recipient' },
  { name: 'raw_payload' },
  { name: 'staged_payload' },
  { name: 'privacy_group' },
  { name: 'key_holder' },
];
