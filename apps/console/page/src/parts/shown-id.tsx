import { shownId } from '../permissions/permission-ids.js';

/** An id that a stranger chose, apart from the text around it. */
export const ShownId = ({ id }: { readonly id: string }) => (
  <bdi title={id.length > 256 ? `${id.length} characters` : undefined}>{shownId(id)}</bdi>
);
