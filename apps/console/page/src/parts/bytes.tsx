/**
 * Bytes or another long text as it is; it scrolls in itself, by keyboard too.
 * @param options.label - what it is
 */
export const Bytes = ({ label, children }: { readonly label: string; readonly children: string }) => (
  <pre className="bytes" role="group" aria-label={label} tabIndex={0}>
    {children}
  </pre>
);
