/** What the views say on a network that has none. */
export const WithoutPermissions = () => (
  <p className="empty">
    This node enforces no permissions: every account may send transactions, and every node may connect that
    its own lists let in.
  </p>
);
